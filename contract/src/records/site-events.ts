import { z } from 'zod'
import { auditEntry } from '../audit.ts'

/** Kinds of events that may explain a change of figures. */
export const siteEventKinds = [
  'channel_auto_disabled',
  'channel_disabled',
  'channel_enabled',
  'channel_added',
  'channel_removed',
  'channel_models',
  'prices',
  'node_started',
] as const
export type SiteEventKind = (typeof siteEventKinds)[number]

/** Something that was done to channels, prices or nodes. */
export const siteEvent = z.object({
  /** Id of the entry of the audit log. */
  id: z.int(),
  at: z.int(),
  kind: z.enum(siteEventKinds),
  channel_id: z.int().optional(),
  /** The channel, the price list or option, or the node. */
  name: z.string(),
  /** Why a channel was disabled, or the version that a node runs; empty where there is nothing to say. */
  detail: z.string(),
  actor: z.string(),
  /** The entry of the audit log; of its fields only those that say what happened. */
  entry: auditEntry.pick({ actor_id: true, action: true, object: true, object_id: true, before: true, after: true }),
})
export type SiteEvent = z.output<typeof siteEvent>
