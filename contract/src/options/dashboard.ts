import { choice, flag, integer, section } from './kinds.ts'

export const dashboard = section({
  tab: 'operation',
  title: { zh: '数据看板设置', en: 'Dashboard' },
  options: {
    DataExportEnabled: flag({
      fallback: true,
      status: 'enable_data_export',
      label: { zh: '启用数据看板', en: 'Enable the dashboard' },
      help: { zh: '收集每小时的统计数据', en: 'Collects hourly statistics' },
    }),
    DataExportInterval: integer({
      fallback: 5,
      min: 1,
      max: 1_440,
      unit: 'minutes',
      label: { zh: '数据看板更新间隔', en: 'Dashboard update interval' },
      help: { zh: '设置过短会影响数据库性能', en: 'Short intervals cost database time' },
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
