import { choice, flag, integer, section } from './kinds.ts'

export const dashboard = section({
  name: 'dashboard',
  tab: 'operation',
  title: { zh: '数据看板设置', en: 'Dashboard' },
  options: {
    DataExportEnabled: flag({
      fallback: true,
      status: 'enable_data_export',
      label: { zh: '启用数据看板', en: 'Show the dashboard' },
      help: {
        zh: '关闭后不显示看板，也不再记录按用户与模型的小时数据（/api/data）；账本汇总不受影响',
        en: 'If off, the dashboard is hidden and hourly usage by user and model (/api/data) isn’t collected. Ledger totals are not affected.',
      },
    }),
    DataExportInterval: integer({
      fallback: 5,
      min: 1,
      max: 1_440,
      unit: 'minutes',
      label: { zh: '数据看板刷新间隔', en: 'Dashboard refresh interval' },
      help: {
        zh: '打开的看板自动刷新的间隔，过短会增加数据库负载',
        en: 'How often an open dashboard refreshes. Short intervals put more load on the database.',
      },
    }),
    SpeedRetentionDays: integer({
      fallback: 30,
      min: 1,
      max: 3_650,
      unit: 'days',
      label: { zh: '按用户与令牌的延迟数据保留天数', en: 'Retention of latency by user and key (days)' },
      help: {
        zh: '数据探索中按用户与令牌的小时延迟分布；按渠道、模型与分组的数据一直保留',
        en: 'Hourly latency by user and API key in Explore. Data by channel, model and group is kept.',
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
      help: { zh: '仅影响显示，数据按小时保存', en: 'Display only. Data is stored hourly.' },
    }),
  },
})
