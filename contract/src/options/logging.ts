import { flag, integer, section } from './kinds.ts'

const retention = { min: 0, max: 36_500, unit: 'days' } as const

export const logging = section({
  name: 'logging',
  tab: 'operation',
  title: { zh: '日志设置', en: 'Logs' },
  options: {
    LogConsumeEnabled: flag({
      fallback: true,
      label: { zh: '启用额度消费日志记录', en: 'Log charged calls' },
      help: {
        zh: '关闭后不写消费日志；扣费、账本与数据看板不受影响',
        en: 'When off, no rows of charged calls are written; billing, the ledger and the dashboard go on',
      },
    }),
    ErrorLogEnabled: flag({
      fallback: true,
      label: { zh: '启用错误日志记录', en: 'Log failed calls' },
      help: { zh: '失败的调用写入使用日志', en: 'Failed calls get a row in the usage log' },
    }),
    ChargedLogRetentionDays: integer({
      ...retention,
      fallback: 0,
      label: { zh: '消费日志保留天数', en: 'Days that rows of charged calls are kept' },
      help: {
        zh: '更早的日志每天清理一次，账本、看板与汇总不变；0 表示一直保留',
        en: 'Older ones are deleted once a day; ledger, dashboard and sums stay. 0 keeps them for ever',
      },
    }),
    ErrorLogRetentionDays: integer({
      ...retention,
      fallback: 30,
      label: { zh: '错误日志保留天数', en: 'Days that error rows are kept' },
      help: {
        zh: '更早的错误日志每天清理一次；0 表示一直保留',
        en: 'Older ones are deleted once a day; 0 keeps them for ever',
      },
    }),
    OtherLogRetentionDays: integer({
      ...retention,
      fallback: 0,
      label: { zh: '其他日志保留天数', en: 'Days that other rows are kept' },
      help: {
        zh: '充值、管理与系统日志；更早的每天清理一次，0 表示一直保留',
        en: 'Top-ups, administration and system rows. Older ones are deleted once a day; 0 keeps them for ever',
      },
    }),
  },
})
