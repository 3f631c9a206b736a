import { attentionReasons } from '@tollgate/contract/channels/channel-health'
import { endpoint } from '@tollgate/contract/endpoint'
import { refusalFields } from '@tollgate/contract/errors/refusal'
import { z } from 'zod'

const count = z.int().nonnegative()
/** Milliseconds; null where nothing was measured. */
const ms = z.number().nonnegative().nullable()

const liveMinute = z.object({
  /** Unix seconds of its beginning. */
  at: z.int(),
  calls: count,
  failed: count,
  /** Quota units that were charged. */
  quota: count,
  first_p50_ms: ms,
  first_p95_ms: ms,
  /** The most at once. */
  running: count,
  waiting: count,
  holds: count,
})
export type LiveMinute = z.output<typeof liveMinute>

const liveNode = z.object({
  name: z.string(),
  /** The process id; several processes may run under one name. */
  pid: count,
  version: z.string(),
  /** Unix seconds. */
  started_at: z.int(),
  state: z.enum(['ready', 'refusing', 'stopping']),
  /** Share of one core that is busy, from 0; above 1 when threads work, too. */
  cpu: z.number().nonnegative(),
  calls_per_second: z.number().nonnegative(),
  running: count,
  /** Bytes. */
  memory: count,
  loop_delay_p99_ms: z.number().nonnegative(),
  waiting: count,
  /** Milliseconds that the oldest finished call has waited for the database. */
  oldest_ms: z.number().nonnegative(),
  journal_bytes: count,
  journal_segments: count,
  holds: count,
  /** Quota units. */
  held_quota: count,
  /** Null where it does not answer. */
  database_ms: ms,
  /** Null where it does not answer; absent without Redis. */
  redis_ms: ms.optional(),
})
export type LiveNode = z.output<typeof liveNode>

const liveChannel = z.object({
  id: z.int(),
  name: z.string(),
  /** Reasons for which it needs attention; never empty. */
  reasons: z.array(z.enum(attentionReasons)),
  /** Message of its last failure; empty if none is known. */
  reason: z.string(),
  /** Of `reason`. */
  ...refusalFields,
  /** Status of the last failure; 0 for none. */
  status: z.int(),
  /** Unix seconds of the last failure; 0 where none is known. */
  failed_at: z.int(),
  avoided_models: z.array(z.string()),
  /** Attempts of the last hour. */
  attempts: count,
  failed: count,
  first_ms: ms,
})
export type LiveChannel = z.output<typeof liveChannel>

const liveError = z.object({
  /** Unix seconds. */
  at: z.int(),
  status: z.int(),
  code: z.string(),
  model: z.string(),
  channel: z.int(),
  channel_name: z.string(),
  request_id: z.string(),
})
export type LiveError = z.output<typeof liveError>

export const livePicture = z.object({
  /** Unix seconds. */
  at: z.int(),
  now: z.object({
    /** Over the last ten seconds. */
    calls_per_second: z.number().nonnegative(),
    failed_per_second: z.number().nonnegative(),
    /** Over the last sixty seconds. */
    calls: count,
    failed: count,
    quota: count,
    first_p50_ms: ms,
    first_p95_ms: ms,
    running: count,
  }),
  /** Over the whole hour. */
  usual: z.object({ first_p50_ms: ms, first_p95_ms: ms }),
  /** The last hour, oldest first; the last one is not over. */
  minutes: z.array(liveMinute),
  nodes: z.array(liveNode),
  /** `in_trouble` holds the worst of those that need attention. */
  channels: z.object({ all: count, needing_attention: count, in_trouble: z.array(liveChannel) }),
  /** The newest first. */
  errors: z.array(liveError),
})
export type LivePicture = z.output<typeof livePicture>

export const getLive = endpoint({
  method: 'GET',
  path: '/api/live',
  access: 'admin',
  summary: 'What all nodes are doing now, and their last hour',
  data: livePicture,
})
