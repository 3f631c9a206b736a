import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { longestModelName } from '../sizes.ts'
import { routeStates } from './channel-health.ts'

/**
 * Why a channel does or does not get a call: `chosen` may get the first attempt, `lower_priority` waits for the ones above
 * it, `not_best` has worse figures where these decide, `cooling_down` is used only when no other channel is left; the others are no candidates.
 */
export const routingReasons = ['chosen', 'not_best', 'lower_priority', 'cooling_down', 'disabled', 'group'] as const
export type RoutingReason = (typeof routingReasons)[number]

export const routingRow = z.object({
  id: z.int(),
  name: z.string(),
  type: z.int(),
  priority: z.int(),
  weight: z.int(),
  state: z.enum(routeStates),
  /** When a cooling channel may be called again, unix seconds; 0 otherwise. */
  until: z.int(),
  reason: z.enum(routingReasons),
  /** Probability of the first attempt, 0 to 1. */
  share: z.number(),
  /** Score of routing by figures: milliseconds, quota units of a sample call, or calls under way by weight; absent if unknown. */
  score: z.number().optional(),
})
export type RoutingRow = z.output<typeof routingRow>

/** Calls no provider. Limits of prompts and of a conversation's channel are not known here and left out. */
export const explainRouting = endpoint({
  method: 'GET',
  path: '/api/channel/routing',
  access: 'admin',
  summary: 'Which channels a call of a model in a group would be sent to, and why the others are not used',
  query: z.object({
    model: z.string().min(1).max(longestModelName),
    group: z.string().min(1).max(64).default('default'),
  }),
  /** In the order in which channels are tried; channels that do not serve the model at all are left out. */
  data: z.array(routingRow),
})
