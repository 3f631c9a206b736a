import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

const sum = z.object({
  /** Id of the channel that did not answer, and its name; empty where it was deleted. */
  channel_id: z.int(),
  channel_name: z.string(),
  model_name: z.string(),
  /** Streams for which two channels were asked. */
  count: z.int(),
  /** How many of them the channel answered that was asked second. */
  won: z.int(),
  /** Quota units, about. */
  cost: z.int(),
})
export type HedgeSum = z.output<typeof sum>

const spent = z.object({
  /** Quota units in the present hour and day (UTC); a limit of 0 is none. */
  hour: z.int(),
  day: z.int(),
  hour_limit: z.int(),
  day_limit: z.int(),
})

export const readHedging = endpoint({
  method: 'GET',
  path: '/api/route/hedging',
  access: 'admin',
  summary:
    'What asking a second channel cost: the present hour and day, and the last days by channel that did not answer and model',
  query: z.object({ days: z.coerce.number().int().min(1).max(90).default(7) }),
  data: z.object({
    spent,
    /** True where a group or a virtual model asks second channels. */
    on: z.boolean(),
    /** The dearest first; 100 at most. */
    sums: z.array(sum),
  }),
})
