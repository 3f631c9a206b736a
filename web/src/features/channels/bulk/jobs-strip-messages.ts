import { defineMessages } from '../../../lib/i18n.ts'

/** Texts of the progress of background jobs over all channels, and of the question before one. */
export const useJobsStripMessages = defineMessages('channel-jobs-strip', {
  zh: {
    testTitle: '测试所有渠道？',
    testEffect:
      '在后台向每个渠道发送一个简短请求，会产生少量费用。缓慢或失败的渠道可能被自动禁用，恢复的可能被自动启用。',
    testConfirm: '开始测试',
    balanceTitle: '更新所有已启用渠道余额？',
    balanceEffect: '在后台逐个查询支持余额查询的上游。余额用尽的渠道可能被自动禁用。',
    balanceConfirm: '开始更新',
    testing: '正在测试所有渠道',
    asking: '正在更新余额',
    progress: '{{done}} / {{total}}',
    failed: '{{count}} 个失败',
    disabled: '{{count}} 个自动禁用',
    enabled: '{{count}} 个自动启用',
    stop: '停止',
    tested: '渠道测试完成：{{done}} / {{total}}',
    asked: '余额更新完毕：{{done}} / {{total}}',
    reasons: '失败原因',
    dismiss: '知道了',
  },
  en: {
    testTitle: 'Test all channels?',
    testEffect:
      'Sends a short request through every channel in the background, at a small cost. Slow or failing channels may be auto-disabled, recovered ones re-enabled.',
    testConfirm: 'Start test',
    balanceTitle: 'Update the balances of all enabled channels?',
    balanceEffect:
      'Checks providers that report a balance, one by one in the background. Channels without balance may be auto-disabled.',
    balanceConfirm: 'Start update',
    testing: 'Testing all channels',
    asking: 'Updating balances',
    progress: '{{done}} of {{total}}',
    failed: '{{count}} failed',
    disabled: '{{count}} auto-disabled',
    enabled: '{{count}} auto-enabled',
    stop: 'Stop',
    tested: 'Channels tested: {{done}} of {{total}}',
    asked: 'Balances updated: {{done}} of {{total}}',
    reasons: 'Failures',
    dismiss: 'Dismiss',
  },
})
