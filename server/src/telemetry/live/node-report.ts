import { refusalFields } from '@tollgate/contract'
import { z } from 'zod'

const number = z.number().nonnegative()
const count = z.int().nonnegative()

const figures = z.object({
  place: z.int(),
  calls: count,
  failed: count,
  quota: count,
  running: count,
  waiting: count,
  holds: count,
  first: z.array(count).max(100),
})

/** Report of one node to the others. */
export const nodeReport = z.object({
  /** Id of the process. */
  id: z.string().max(200),
  name: z.string().max(300),
  pid: count,
  version: z.string().max(100),
  startedAt: z.int(),
  state: z.enum(['ready', 'refusing', 'stopping']),
  cpu: number,
  running: count,
  memory: count,
  loopDelayMs: number,
  waiting: count,
  oldestMs: number,
  journalBytes: count,
  journalSegments: count,
  holds: count,
  heldQuota: count,
  databaseMs: number.nullable(),
  redisMs: number.nullable().optional(),
  /** Minutes of the last hour in which anything happened. */
  hour: z.array(figures).max(60),
  /** Seconds of the last minute. */
  seconds: z.array(figures).max(60),
  channels: z
    .array(
      z.object({
        id: z.int(),
        attempts: count,
        failed: count,
        firstMs: number,
        firsts: count,
        failedAt: z.int(),
        status: z.int(),
        reason: z.string().max(300),
        ...refusalFields,
      }),
    )
    .max(100),
  errors: z
    .array(
      z.object({
        at: z.int(),
        status: z.int(),
        code: z.string().max(200),
        model: z.string().max(300),
        channel: z.int(),
        requestId: z.string().max(100),
      }),
    )
    .max(50),
})
export type NodeReport = z.output<typeof nodeReport>
