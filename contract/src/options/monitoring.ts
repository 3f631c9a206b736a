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
      label: { zh: '测试所有渠道的最长响应时间', en: 'Longest response time when testing all channels' },
      help: {
        zh: '超过此时间的渠道会被自动禁用，0 表示不检查',
        en: 'Slower channels are disabled automatically; 0 turns this off',
      },
    }),
    QuotaRemindThreshold: integer({
      fallback: 1_000,
      min: 0,
      unit: 'quota',
      label: { zh: '额度提醒阈值', en: 'Low-balance reminder threshold' },
      help: {
        zh: '用户未自行设置时，剩余额度低于此值会收到提醒',
        en: 'Users without a threshold of their own are reminded below it',
      },
    }),
    AutomaticDisableChannelEnabled: flag({
      fallback: false,
      label: { zh: '失败时自动禁用渠道', en: 'Disable failing channels' },
      help: {
        zh: '上游报告密钥或余额失效时禁用渠道',
        en: 'When an upstream says that a key or its credit is gone',
      },
    }),
    AutomaticEnableChannelEnabled: flag({
      fallback: false,
      label: { zh: '成功时自动启用渠道', en: 'Enable recovered channels' },
      help: {
        zh: '自动禁用的渠道在测试通过后重新启用',
        en: 'Channels disabled automatically come back when their test passes',
      },
    }),
    LossWarningEnabled: flag({
      fallback: false,
      label: { zh: '低于成本时提醒', en: 'Warn of calls below cost' },
      help: {
        zh: '一次调用的收费低于其上游成本时，写入日志并通知站长，每个渠道和模型每小时一次',
        en: 'When a call is charged less than it costs at its provider: a line in the log and a notice, once per channel, model and hour',
      },
    }),
    RouteAroundLossEnabled: flag({
      fallback: false,
      label: { zh: '避开亏损渠道', en: 'Route around losses' },
      help: {
        zh: '某渠道的模型成本高于分组售价时，优先使用其他渠道；没有其他渠道时仍会使用',
        en: 'Channels that take more for a model than the group pays are asked only when there is no other',
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
        zh: '一行一个，不区分大小写；上游错误包含关键词时自动禁用渠道',
        en: 'One per line, case-insensitive; matched against upstream errors',
      },
    }),
  },
})
