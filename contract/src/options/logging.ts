import { flag, integer, section } from './kinds.ts'

const retention = { min: 0, max: 36_500, unit: 'days' } as const

export const logging = section({
  name: 'logging',
  tab: 'operation',
  title: { zh: '日志设置', en: 'Logs' },
  options: {
    LogConsumeEnabled: flag({
      fallback: true,
      label: { zh: '记录成功的调用', en: 'Log successful calls' },
      help: {
        zh: '关闭后不记录成功的调用；计费、账本与数据看板不受影响',
        en: 'If off, successful calls aren’t logged. Billing, ledger and dashboard are not affected.',
      },
    }),
    ErrorLogEnabled: flag({
      fallback: true,
      label: { zh: '启用错误日志记录', en: 'Log failed calls' },
      help: { zh: '失败的调用写入使用日志', en: 'Adds failed calls to the usage log' },
    }),
    ChargedLogRetentionDays: integer({
      ...retention,
      fallback: 0,
      label: { zh: '成功日志保留天数', en: 'Retention of successful calls (days)' },
      help: {
        zh: '更早的日志每天清理一次，账本与统计不受影响；0 表示一直保留',
        en: 'Older rows are deleted daily; ledger and statistics stay. 0 keeps them forever.',
      },
    }),
    ErrorLogRetentionDays: integer({
      ...retention,
      fallback: 30,
      label: { zh: '错误日志保留天数', en: 'Retention of failed calls (days)' },
      help: {
        zh: '更早的错误日志每天清理一次；0 表示一直保留',
        en: 'Older rows are deleted daily. 0 keeps them forever.',
      },
    }),
    OtherLogRetentionDays: integer({
      ...retention,
      fallback: 0,
      label: { zh: '其他日志保留天数', en: 'Retention of other rows (days)' },
      help: {
        zh: '充值、管理与系统日志；更早的每天清理一次，0 表示一直保留',
        en: 'Top-ups, admin actions and system events. Older rows are deleted daily. 0 keeps them forever.',
      },
    }),
  },
})
