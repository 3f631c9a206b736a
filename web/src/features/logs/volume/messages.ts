import { defineMessages } from '../../../lib/i18n.ts'

/** Texts of the figures and the chart above the log. */
export const useLogVolumeMessages = defineMessages('log-volume', {
  zh: {
    statCalls: '调用',
    statRows: '记录',
    statSuccess: '成功率',
    statQuota: '花费',
    statRpm: 'RPM',
    statFirst: '首字 p95',
    statCache: '缓存占比',
    byHour: '按整小时统计',
    statTpm: 'TPM',
    perMinute: '最近 60 秒',
    volume: '请求量',
    volumeOf: '各时段的记录数',
    volumeLabel:
      '{{title}}：共 {{total}}，{{points}} 个时段。用左右方向键查看，按住 Shift 选择多段，回车筛选时间范围。',
    volumeDone: '成功',
    volumeFailed: '失败',
    volumeRows: '记录',
    volumeTotal: '合计',
    volumeUtc: '按 UTC 日期统计',
    volumeCapped: '仅统计最新的 2,000 条',
    volumeSums: '包含已清理日志的请求',
    volumeError: '暂时无法统计',
    volumeRetry: '重试',
  },
  en: {
    statCalls: 'Calls',
    statRows: 'Entries',
    statSuccess: 'Success rate',
    statQuota: 'Spend',
    statRpm: 'RPM',
    statFirst: 'First token p95',
    statCache: 'Cache share',
    byHour: 'full hours only',
    statTpm: 'TPM',
    perMinute: 'last 60 s',
    volume: 'Requests over time',
    volumeOf: 'Entries over time',
    volumeLabel:
      '{{title}}: {{total}} in {{points}} intervals. Arrow keys move, Shift selects a range, Enter applies it.',
    volumeDone: 'Successful',
    volumeFailed: 'Failed',
    volumeRows: 'Entries',
    volumeTotal: 'Total',
    volumeUtc: 'UTC days',
    volumeCapped: 'Newest 2,000 only',
    volumeSums: 'Includes deleted logs',
    volumeError: 'Couldn’t load the chart',
    volumeRetry: 'Retry',
  },
})

export type SayVolume = ReturnType<typeof useLogVolumeMessages>
