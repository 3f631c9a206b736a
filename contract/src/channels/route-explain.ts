import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { longestModelName } from '../sizes.ts'
import { routingRow } from './channel-routing.ts'
import { channelChoices } from './route-choices.ts'

const flag = z
  .enum(['true', 'false'])
  .optional()
  .transform((text) => (text === undefined ? undefined : text === 'true'))

const target = z.object({
  model: z.string(),
  /** Number of its step, from 0: later ones are asked when all before have failed. */
  step: z.int(),
  /** Probability that it is asked first, 0 to 1. */
  share: z.number(),
  /** False where it has no price and is passed over. */
  priced: z.boolean(),
  /** False outside its dates. */
  current: z.boolean(),
  /** The channels that may answer for it, in the order in which they are tried. */
  channels: z.array(routingRow),
})
export type ExplainedTarget = z.output<typeof target>

/** Calls no provider. What only a real call has (its session, the bytes of its prompt) is left out. */
export const explainRoute = endpoint({
  method: 'GET',
  path: '/api/route/explain',
  access: 'admin',
  summary: 'Where a call of a model would go now, with every step of the way',
  query: z.object({
    model: z.string().min(1).max(longestModelName),
    /** Id or name of an API key, whose group counts and whose model limits are looked at; 0 or empty for none. */
    key: z.string().max(190).default(''),
    /** The group of the explained call where no key is named. */
    group: z.string().min(1).max(64).default('default'),
    /** About so many prompt tokens. */
    prompt: z.coerce.number().int().min(0).max(100_000_000).default(0),
    tools: flag,
    pictures: flag,
    stream: flag,
    /** One header, as `name: value`. */
    header: z.string().max(400).default(''),
  }),
  data: z.object({
    group: z.string(),
    /** The API keys that are meant; several where the name is that of several. */
    keys: z.array(z.object({ id: z.int(), name: z.string(), username: z.string() })),
    /** Why the call would be refused before a channel is chosen; empty where it would not. */
    refusal: z.enum(['', 'key_not_found', 'key_ambiguous', 'model_not_allowed', 'no_channel', 'no_price']),
    /** null for models that are not virtual; `rule` is empty where none holds. */
    virtual: z.object({ id: z.int(), rule: z.string(), price: z.enum(['answered', 'own']) }).nullable(),
    choice: z.enum(channelChoices),
    targets: z.array(target),
  }),
})
