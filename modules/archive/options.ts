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
      label: { zh: '归档日志前的天数', en: 'Days until the log is archived' },
      help: {
        zh: '月份结束这么多天后移入 Parquet 文件，仍可在使用日志中搜索；0 表示不归档',
        en: 'A month that ended so many days ago goes to Parquet files, which the usage log goes on to search; 0 archives nothing',
      },
    }),
  },
})

export const sections = [archive] as const
