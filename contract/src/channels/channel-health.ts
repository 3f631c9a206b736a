import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { refusalFields } from '../errors/refusal.ts'
import { idParams, numberList } from '../page.ts'

/**
 * How calls of a channel end. `slow` answered, but its first content took long; `other` is the fault of the request and
 * counts neither for nor against the channel.
 */
export const healthKinds = ['ok', 'slow', 'auth', 'quota', 'rate_limited', 'server_error', 'timeout', 'other'] as const
export type HealthKind = (typeof healthKinds)[number]

/** A quarter of an hour of a channel. */
export const healthPoint = z.object({
  /** Start, unix seconds. */
  time: z.int(),
  answered: z.int(),
  failed: z.int(),
})
export type HealthPoint = z.output<typeof healthPoint>

const figures = {
  /** Calls that were answered or failed; the fault of requests is not among them. */
  calls: z.int(),
  /** Share of answered calls, 0 to 1; null without calls. */
  success_rate: z.number().nullable(),
  /**
   * A time in milliseconds that 95 of 100 answered calls did not exceed, null without one. Durations are counted in
   * classes, so this is the end of a class: they may have taken less.
   */
  p95_ms: z.int().nullable(),
  /** The call at 95 % lies beyond the last class: it took longer than `p95_ms`. */
  p95_exceeded: z.boolean(),
  /** Average until the first content of streams, in milliseconds; null without one. */
  first_content_ms: z.int().nullable(),
  /** Quota units that these calls cost. */
  quota: z.int(),
  kinds: z.record(z.enum(healthKinds), z.int()),
  last_error: z.string(),
  /** Of `last_error`. */
  ...refusalFields,
  /** Unix seconds; 0 when there was none. */
  last_error_time: z.int(),
}

export const channelHealth = z.object({
  channel_id: z.int(),
  ...figures,
  /** Oldest first, without gaps. */
  points: z.array(healthPoint),
  /** Number of its models that are skipped now, as far as the answering node knows. */
  avoided: z.int(),
})
export type ChannelHealth = z.output<typeof channelHealth>

/** `open` is skipped after failures, `trial` is being tried again, `resting` waits after a 429. */
export const routeStates = ['closed', 'open', 'trial', 'resting'] as const
export type RouteState = (typeof routeStates)[number]

export const modelHealth = z.object({
  model: z.string(),
  ...figures,
  state: z.enum(routeStates),
  /** When calls may go there again, unix seconds; 0 while they do. */
  until: z.int(),
})
export type ModelHealth = z.output<typeof modelHealth>

/** The last 24 hours; without `ids` of all channels. */
export const listChannelHealth = endpoint({
  method: 'GET',
  path: '/api/channel/health',
  access: 'admin',
  summary: 'How calls of channels ended in the last 24 hours',
  query: z.object({ ids: numberList }),
  data: z.array(channelHealth),
})

export const getChannelHealth = endpoint({
  method: 'GET',
  path: '/api/channel/:id/health',
  access: 'admin',
  summary: 'The same for each model of a channel',
  params: idParams,
  data: z.object({ ...channelHealth.shape, models: z.array(modelHealth) }),
})

/**
 * Reasons why a channel needs attention. `failing` answered none of its latest calls, or too few of the last hour; `cooling` has models
 * that routing skips; `key_refused` has keys that its provider refuses; `balance_low` lasts for less than another day like the last one.
 */
export const attentionReasons = ['disabled', 'failing', 'cooling', 'key_refused', 'balance_low', 'unpriced'] as const
export type AttentionReason = (typeof attentionReasons)[number]

export const listChannelAttention = endpoint({
  method: 'GET',
  path: '/api/channel/attention',
  access: 'admin',
  summary: 'Channels that need attention, and why',
  data: z.array(z.object({ channel_id: z.int(), reasons: z.array(z.enum(attentionReasons)).min(1) })),
})
