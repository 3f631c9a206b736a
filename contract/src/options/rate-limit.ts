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
      help: { zh: '高并发时可能影响性能', en: 'May reduce throughput under heavy load' },
    }),
    ModelRequestRateLimitDurationMinutes: integer({
      fallback: 1,
      min: 0,
      max: 525_600,
      unit: 'minutes',
      label: { zh: '限制周期', en: 'Period' },
      help: { zh: '在此时间内计算请求次数，0 表示不限制', en: 'Requests are counted over this time. 0: no limit.' },
    }),
    ModelRequestRateLimitCount: integer({
      fallback: 0,
      min: 0,
      max: 100_000_000,
      unit: 'requests',
      label: { zh: '用户每周期最多请求次数', en: 'Requests per period' },
      help: { zh: '包括失败的请求，0 表示不限制', en: 'Includes failed requests. 0: no limit.' },
    }),
    ModelRequestRateLimitSuccessCount: integer({
      fallback: 1_000,
      min: 1,
      max: 100_000_000,
      unit: 'requests',
      label: { zh: '用户每周期最多请求完成次数', en: 'Successful requests per period' },
      help: { zh: '只计算成功的请求', en: 'Counts successful requests only' },
    }),
    SessionLimits: json({
      fallback: {},
      schema: z.record(z.string(), sessionLimits),
      allowed: {
        zh: '分组 → {"money": 美元, "calls": 次数, "minutes": 分钟, "repeats": 相同工具调用的次数}；"*" 代表其余所有分组',
        en: 'Group → {"money": dollars, "calls": number, "minutes": number, "repeats": same tool calls in a row}; "*" stands for all other groups',
      },
      label: { zh: '会话上限', en: 'Session limits' },
      help: {
        zh: '停止超过上限或反复调用同一工具的会话，客户端会显示原因',
        en: 'Stops sessions that exceed a limit or repeat the same tool call. The client shows the reason.',
      },
    }),
  },
})
