import { z } from 'zod'
import { flag, integer, json, section } from './kinds.ts'

/** Limits of one session; absent parts are not limited. */
export const sessionLimits = z.strictObject({
  /** Dollars. */
  money: z.number().positive().max(1_000_000).optional(),
  calls: z.int().positive().max(1_000_000).optional(),
  minutes: z.int().positive().max(525_600).optional(),
  /** How often in a row the same tool call may have the same result. */
  repeats: z.int().min(2).max(100).optional(),
})
export type SessionLimits = z.output<typeof sessionLimits>

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
    SessionLimits: json({
      fallback: {},
      schema: z.record(z.string(), sessionLimits),
      allowed: {
        zh: '分组 → {"money": 美元, "calls": 次数, "minutes": 分钟, "repeats": 相同工具调用的次数}；"*" 代表其余所有分组',
        en: 'Group → {"money": dollars, "calls": number, "minutes": number, "repeats": same tool calls in a row}; "*" stands for all other groups',
      },
      label: { zh: '单个会话的上限', en: 'Limits of one session' },
      help: {
        zh: '超过上限或反复做同样工具调用的会话会被停止，客户端会看到原因',
        en: 'A session beyond a limit, or one that repeats the same tool call, is stopped, and its client says why',
      },
    }),
  },
})
