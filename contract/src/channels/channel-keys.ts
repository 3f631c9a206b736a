import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { refusalFields } from '../errors/refusal.ts'
import { idParams } from '../page.ts'

/** Kinds of rate limits that providers state in their answers. */
export const learnedLimitKinds = ['requests', 'tokens', 'input_tokens', 'output_tokens'] as const
export type LearnedLimitKind = (typeof learnedLimitKinds)[number]

/** Remaining rate limits of a key at the provider, for calls of one model. */
export const learnedKeyLimits = z.object({
  model: z.string(),
  /** Nothing is left until then, unix seconds: other keys are preferred. 0 where something is. */
  used_up_until: z.int(),
  limits: z.array(
    z.object({
      kind: z.enum(learnedLimitKinds),
      /** 0 where the provider does not say. */
      most: z.int(),
      left: z.int(),
      /** Unix seconds at which all of it is free again. */
      resets_at: z.int(),
    }),
  ),
})
export type LearnedKeyLimits = z.output<typeof learnedKeyLimits>

/** One of the keys of a channel, never the key itself. */
export const channelKey = z.object({
  /** Identifies the key in calls without revealing it. */
  id: z.string(),
  /** Its last four characters. */
  hint: z.string(),
  /** 1 enabled, 2 disabled, 3 disabled automatically. */
  status: z.int(),
  /** Why and when (unix seconds) it was disabled. */
  reason: z.string(),
  ...refusalFields,
  status_time: z.int(),
  /** After a 429 other keys are preferred until then, unix seconds; 0 while it works. */
  rests_until: z.int(),
  /** Rate limits that the provider's answers stated, by model; empty if they state none. */
  limits: z.array(learnedKeyLimits),
})
export type ChannelKey = z.output<typeof channelKey>

const keyId = z.string().min(1).max(64)

export const listChannelKeys = endpoint({
  method: 'GET',
  path: '/api/channel/:id/keys',
  access: 'admin',
  summary: 'The keys of a channel, without the keys themselves',
  params: idParams,
  data: z.array(channelKey),
})

/** `key_id` absent means all of them, one per line. */
export const revealChannelKey = endpoint({
  method: 'POST',
  path: '/api/channel/:id/key',
  access: 'admin',
  confirm: true,
  summary: 'Shows the key of a channel',
  params: idParams,
  body: z.object({ key_id: keyId.optional() }),
  data: z.object({ key: z.string() }),
})

/** One key per line; those that are there already stay as they are. */
export const addChannelKeys = endpoint({
  method: 'POST',
  path: '/api/channel/:id/keys',
  access: 'admin',
  summary: 'Adds keys to a channel and answers how many were new',
  params: idParams,
  body: z.object({ keys: z.string().min(1).max(1_000_000) }),
  data: z.int(),
})

/** The channel goes off with its last enabled key. */
export const setChannelKeyStatus = endpoint({
  method: 'PUT',
  path: '/api/channel/:id/keys',
  access: 'admin',
  summary: 'Enables or disables one key of a channel',
  params: idParams,
  body: z.object({ key_id: keyId, status: z.union([z.literal(1), z.literal(2)]) }),
  data: z.array(channelKey),
})

/** Keys as they are kept elsewhere; what is stored is not shown. */
export const compareChannelKeys = endpoint({
  method: 'POST',
  path: '/api/channel/keys/compare',
  access: 'admin',
  summary: 'Ids of the channels that hold other keys than these, one key per line',
  changes: false,
  answersGuesses: true,
  body: z.object({
    channels: z
      .array(z.object({ id: z.int().positive(), key: z.string().min(1).max(1_000_000) }))
      .min(1)
      .max(200),
  }),
  data: z.array(z.int()),
})

export const removeChannelKey = endpoint({
  method: 'POST',
  path: '/api/channel/:id/keys/remove',
  access: 'admin',
  summary: 'Removes one key of a channel; the last one stays',
  params: idParams,
  body: z.object({ key_id: keyId }),
  data: z.array(channelKey),
})
