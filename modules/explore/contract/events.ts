import { auditEntry } from '@tollgate/contract/audit'
import { endpoint } from '@tollgate/contract/endpoint'
import { z } from 'zod'

/** Kinds of events that may explain a change in a chart. */
export const exploreEventKinds = [
  'channel_auto_disabled',
  'channel_disabled',
  'channel_enabled',
  'channel_added',
  'channel_removed',
  'channel_models',
  'prices',
  'node_started',
] as const
export type ExploreEventKind = (typeof exploreEventKinds)[number]

export const exploreEvent = z.object({
  /** Id of the entry of the audit log. */
  id: z.int(),
  at: z.int(),
  kind: z.enum(exploreEventKinds),
  channel_id: z.int().optional(),
  /** The channel, the price list or option, or the node. */
  name: z.string(),
  /** Why a channel was disabled, or the version that a node runs; empty where there is nothing to say. */
  detail: z.string(),
  actor: z.string(),
  /** The entry as the audit log tells it; of its fields those alone that say what happened. */
  entry: auditEntry.pick({ actor_id: true, action: true, object: true, object_id: true, before: true, after: true }),
})
export type ExploreEvent = z.output<typeof exploreEvent>

export const exploreEvents = endpoint({
  method: 'GET',
  path: '/api/explore/events',
  access: 'admin',
  summary: 'What was changed in a time and may explain a change of figures, oldest first; the newest 40 at most',
  query: z.object({
    start_timestamp: z.coerce.number().int().nonnegative(),
    end_timestamp: z.coerce.number().int().nonnegative(),
  }),
  data: z.array(exploreEvent),
})
