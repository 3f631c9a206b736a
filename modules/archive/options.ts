import { integer, section } from '@tollgate/contract/options/kinds'

const archive = section({
  name: 'logArchive',
  tab: 'operation',
  title: { zh: '日志设置', en: 'Logs' },
  behind: { section: 'logging', position: 1, option: 'ErrorLogRetentionDays' },
  options: {
    LogArchiveAfterDays: integer({
      min: 0,
      max: 36_500,
      unit: 'days',
      fallback: 0,
      label: { zh: '日志归档时间（天）', en: 'Archive logs after (days)' },
      help: {
        zh: '月份结束指定天数后转存为 Parquet 文件，仍可在使用日志中搜索；0 表示不归档',
        en: 'Months older than this move to Parquet files, still searchable in the usage log. 0: never.',
      },
    }),
  },
})

export const sections = [archive] as const
