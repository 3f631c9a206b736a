import { flag, integer, section } from './kinds.ts'

export const rateLimit = section({
  name: 'rate-limit',
  tab: 'ratelimit',
  title: { zh: '模型请求速率限制', en: 'Model request rate limit' },
  options: {
    ModelRequestRateLimitEnabled: flag({
      fallback: false,
      label: { zh: '启用用户模型请求速率限制', en: 'Limit model requests per user' },
      help: { zh: '可能会影响高并发性能', en: 'May cost some throughput under heavy load' },
    }),
    ModelRequestRateLimitDurationMinutes: integer({
      fallback: 1,
      min: 0,
      max: 525_600,
      unit: 'minutes',
      label: { zh: '限制周期', en: 'Period' },
      help: { zh: '次数在此时间内计算，0 表示不限制', en: 'The time over which requests are counted; 0 is no limit' },
    }),
    ModelRequestRateLimitCount: integer({
      fallback: 0,
      min: 0,
      max: 100_000_000,
      unit: 'requests',
      label: { zh: '用户每周期最多请求次数', en: 'Requests per period' },
      help: { zh: '包括失败请求的次数，0 代表不限制', en: 'Failed requests count; 0 is no limit' },
    }),
    ModelRequestRateLimitSuccessCount: integer({
      fallback: 1_000,
      min: 1,
      max: 100_000_000,
      unit: 'requests',
      label: { zh: '用户每周期最多请求完成次数', en: 'Successful requests per period' },
      help: { zh: '只包括请求成功的次数', en: 'Only successful requests count' },
    }),
  },
})
