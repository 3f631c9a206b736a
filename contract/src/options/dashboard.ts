import { choice, flag, integer, section } from './kinds.ts'

export const dashboard = section({
  name: 'dashboard',
  tab: 'operation',
  title: { zh: '数据看板设置', en: 'Dashboard' },
  options: {
    DataExportEnabled: flag({
      fallback: true,
      status: 'enable_data_export',
      label: { zh: '启用数据看板', en: 'Enable the dashboard' },
      help: {
        zh: '关闭后不显示看板，也不再写入按用户与模型的小时数据（/api/data）；账本自带的汇总不受影响',
        en: 'When off there is no dashboard, and the hourly figures by user and model (/api/data) are no longer collected; the sums that belong to the ledger go on',
      },
    }),
    DataExportInterval: integer({
      fallback: 5,
      min: 1,
      max: 1_440,
      unit: 'minutes',
      label: { zh: '数据看板更新间隔', en: 'Dashboard update interval' },
      help: {
        zh: '打开的看板页面每隔这么久自动刷新，设置过短会影响数据库性能；统计随扣费立即写入，没有延迟',
        en: 'How often an open dashboard asks again; short intervals cost database time. The figures themselves are written with the charges, without delay',
      },
    }),
    SpeedRetentionDays: integer({
      fallback: 30,
      min: 1,
      max: 3_650,
      unit: 'days',
      label: { zh: '按用户与令牌的速度保留天数', en: 'Days that the speed of users and keys is kept' },
      help: {
        zh: '数据探索里按用户与 API 令牌的首字与总用时分布，每小时一份；更早的每小时清理一次。全站按渠道、模型与分组的分布一直保留',
        en: 'How long answers took by user and key, an entry for each hour; older ones are deleted every hour. What is summed by channel, model and group stays',
      },
    }),
    DataExportDefaultTime: choice({
      fallback: 'hour',
      status: 'data_export_default_time',
      choices: [
        { value: 'hour', label: { zh: '小时', en: 'Hour' } },
        { value: 'day', label: { zh: '天', en: 'Day' } },
        { value: 'week', label: { zh: '周', en: 'Week' } },
      ],
      label: { zh: '数据看板默认时间粒度', en: 'Default granularity' },
      help: { zh: '仅修改展示粒度，统计精确到小时', en: 'For display only; statistics are hourly' },
    }),
  },
})
