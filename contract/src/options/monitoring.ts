import { decimal, flag, integer, list, section } from './kinds.ts'

export const monitoring = section({
  name: 'monitoring',
  tab: 'operation',
  title: { zh: '监控设置', en: 'Monitoring' },
  options: {
    ChannelDisableThreshold: decimal({
      fallback: 5,
      min: 0,
      max: 86_400,
      unit: 'seconds',
      label: { zh: '渠道测试的最长响应时间', en: 'Max response time in channel tests' },
      help: {
        zh: '超过此时间的渠道会被自动禁用，0 表示不检查',
        en: 'Slower channels are disabled. 0: no limit.',
      },
    }),
    QuotaRemindThreshold: integer({
      fallback: 1_000,
      min: 0,
      unit: 'quota',
      label: { zh: '额度提醒阈值', en: 'Low-balance reminder threshold' },
      help: {
        zh: '适用于未自行设置的用户，余额低于此值时提醒',
        en: 'Applies to users who haven’t set their own threshold',
      },
    }),
    AutomaticDisableChannelEnabled: flag({
      fallback: false,
      label: { zh: '失败时自动禁用渠道', en: 'Disable failing channels' },
      help: {
        zh: '上游报告密钥无效或余额不足时禁用渠道',
        en: 'When the provider reports an invalid key or insufficient credit',
      },
    }),
    AutomaticEnableChannelEnabled: flag({
      fallback: false,
      label: { zh: '成功时自动启用渠道', en: 'Enable recovered channels' },
      help: {
        zh: '自动禁用的渠道在测试通过后重新启用',
        en: 'Auto-disabled channels are enabled again once their test passes',
      },
    }),
    LossWarningEnabled: flag({
      fallback: false,
      label: { zh: '低于成本时提醒', en: 'Alert on calls sold below cost' },
      help: {
        zh: '一次调用的收费低于上游成本时发送通知，每个渠道和模型每小时最多一次',
        en: 'Sends a notification when a call is charged less than its provider cost, at most once per hour for each channel and model',
      },
    }),
    RouteAroundLossEnabled: flag({
      fallback: false,
      label: { zh: '避开亏损渠道', en: 'Avoid unprofitable channels' },
      help: {
        zh: '成本高于分组售价的渠道，仅在没有其他渠道时使用',
        en: 'Channels that cost more than the group pays are used only as a last resort',
      },
    }),
    AutomaticDisableKeywords: list({
      fallback: [
        'your credit balance is too low',
        'this organization has been disabled.',
        'you exceeded your current quota',
        'permission denied',
        'the security token included in the request is invalid',
        'operation not allowed',
        'your account is not authorized',
      ],
      entry: (text) => text.toLowerCase(),
      label: { zh: '自动禁用关键词', en: 'Keywords that disable a channel' },
      help: {
        zh: '一行一个，不区分大小写；匹配上游返回的错误',
        en: 'One per line, case-insensitive. Matched against provider errors.',
      },
    }),
  },
})
