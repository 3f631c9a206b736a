import { z } from 'zod'
import { channelChoices } from '../channels/route-choices.ts'
import { errorParams } from '../errors/refusal.ts'
import { receipt } from './receipt.ts'
import { cacheMiss, sessionTrace } from './session-trace.ts'

/** One try of an upstream: when it began after the request did, how long it took, and why it failed. */
export const attempt = z.object({
  channel: z.int(),
  channel_name: z.string().optional(),
  started_ms: z.number(),
  duration_ms: z.number(),
  /** Upstream status; 0 when there was none. */
  status: z.int(),
  /** Empty for the attempt that answered. */
  error: z.string(),
  /** The provider's own id of the request; absent where it named none. */
  request_id: z.string().max(128).optional(),
  /** The id by which its answer calls itself (`msg_…`, `chatcmpl-…`), where that is another one: the one that clients have. */
  answer_id: z.string().max(128).optional(),
  /** The id of the receipt that a gateway of this kind gave for it; absent for nearly all. */
  receipt: z.string().max(128).optional(),
  /** Place in a hedged pair of requests, if two channels were asked at a time. */
  hedge: z.enum(['first', 'second']).optional(),
  /** True where the other one answered sooner, so that this one was cut off. */
  cancelled: z.boolean().optional(),
})
export type Attempt = z.output<typeof attempt>

/** Two channels were asked for one stream; the one that spoke first answered it. */
export const hedgeTrace = z.object({
  /** Milliseconds after which the second one was asked. */
  after_ms: z.number(),
  /** Ids of the channel that answered, or was asked last, and of the other one. */
  answered: z.int(),
  other: z.int(),
  /** Which of them answered; empty where neither did. */
  won: z.enum(['first', 'second', '']),
  /** Quota units that the other one cost, about; nobody but the operator pays them. */
  cost: z.int(),
})
export type LoggedHedge = z.output<typeof hedgeTrace>

/** A channel that could have got a call. */
export const routeCandidate = z.object({
  id: z.int(),
  priority: z.int(),
  weight: z.int(),
  /** Score of the comparison: milliseconds, cost, calls under way; absent if weight and chance, or a session decided. */
  score: z.number().optional(),
  /** Why it was or was not taken first; `not_drawn` by chance or by the session's hash, `not_best` by its score. */
  why: z.enum([
    'chosen',
    'lower_priority',
    'in_trouble',
    'at_limit',
    'nothing_left',
    'too_long',
    'below_cost',
    'not_drawn',
    'not_best',
  ]),
})
export type RouteCandidate = z.output<typeof routeCandidate>

/** How a call was led to its channel. */
export const routeTrace = z.object({
  /** Id of the virtual model, and the name of its rule; absent for other models. */
  virtual: z.int().optional(),
  rule: z.string().optional(),
  /** The model behind it that answered, or was asked last. */
  target: z.string().optional(),
  choice: z.enum(channelChoices).optional(),
  /** Random number of the draw, 0 to 1: the same candidates and the same number give the same channel. */
  draw: z.number().optional(),
  candidates: z.array(routeCandidate).optional(),
  /** How many candidates there were beside these. */
  more: z.int().optional(),
})
export type RouteTrace = z.output<typeof routeTrace>

/** Cost of a charged call at its provider; absent if unknown. */
export const callCost = z.object({
  /** Quota units. */
  quota: z.int(),
  /** The price list and its version, `channel`, or `stated`. */
  version: z.string(),
  /** Factor of the channel and its discounts, as exact decimal text; 1 where the provider stated the cost. */
  factor: z.string(),
  /** Cost that the provider's own answer states; absent if it states none. */
  stated: z
    .object({
      /** Dollars, as exact decimal text. */
      amount: z.string(),
      /** The member of the usage or the header that says so. */
      by: z.string(),
      provider: z.string(),
      model: z.string(),
      /** Quota units by the price of the channel; absent where that is not known. */
      computed: z.int().optional(),
    })
    .optional(),
  /** Quota units by which the statement is above the computed cost, where they differ by more than roundings. */
  stated_gap: z.int().optional(),
})
export type CallCost = z.output<typeof callCost>

/** The lane of a call with a deadline, frozen when it was charged. */
const callLane = z.object({
  lane: z.enum(['batch', 'flex', 'off_peak', 'standard']),
  /** Unix seconds. */
  deadline: z.int(),
  /** Cost of the same usage in the standard tier at the moment when the call came. */
  standard: z.int(),
  /** `standard` less the charge. */
  saved: z.int(),
})

/**
 * The `other` column, JSON text on the wire.
 * `admin_info` is removed for ordinary users.
 */
export const logOther = z.looseObject({
  /** The sentence of the row as code and figures, see `log-texts.ts`; `content` is written from it in the reader's language. */
  text: z.looseObject({ code: z.string(), params: errorParams.optional(), unit: z.number().optional() }).optional(),
  /** The same for the error of a failed call, where the sentence is ours; a code of `errors.ts`. */
  error_text: z.looseObject({ code: z.string(), params: errorParams.optional() }).optional(),
  model_ratio: z.number().optional(),
  model_price: z.number().optional(),
  completion_ratio: z.number().optional(),
  group_ratio: z.number().optional(),
  cache_tokens: z.int().optional(),
  cache_ratio: z.number().optional(),
  cache_creation_tokens: z.int().optional(),
  cache_creation_ratio: z.number().optional(),
  is_model_mapped: z.boolean().optional(),
  upstream_model_name: z.string().optional(),
  /** The name that the client asked for, where it was an alias or that of a model that has ended. */
  asked_name: z.string().optional(),
  /** True where the call was captured for an administrator. */
  inspected: z.boolean().optional(),
  /** Milliseconds to the first byte of the answer; -1000 when none was recorded. */
  frt: z.number().optional(),
  reasoning_effort: z.string().optional(),
  /** The program that made the call, as far as it says so: `Claude Code`, `OpenAI SDK (Python)`; at most 40 characters. */
  client: z.string().optional().catch(undefined),
  /** Parameters of the request beside its texts, as its API names them: values, and the numbers of messages and tools. */
  parameters: z
    .record(z.string(), z.union([z.number(), z.string(), z.boolean()]))
    .optional()
    .catch(undefined),
  /** How the call went with its session; absent where it belongs to none. */
  session: sessionTrace.optional().catch(undefined),
  /** The tools whose results the request brought, and how often each was called; absent for none. */
  tools_called: z.record(z.string(), z.int()).optional().catch(undefined),
  /** Why the provider's cache was missed; absent where it was not. */
  cache_miss: cacheMiss.optional().catch(undefined),
  /** How a call with a deadline was made, in quota units; absent for other calls. */
  lane: callLane.optional().catch(undefined),
  receipt: receipt.optional(),
  /** How it ended, one of `logEnds`; `stopped` at a blocked word, `out_of_quota` when no more could be held. */
  end: z.string().optional(),
  /** Whole duration in milliseconds. */
  duration_ms: z.number().optional(),
  /** Status that the client got, for failed requests. */
  status: z.int().optional(),
  /** Of how many refused calls this is the row, where it stands for several. */
  repeated: z.int().optional(),
  error_code: z.string().optional(),
  path: z.string().optional(),
  admin_info: z
    .looseObject({
      use_channel: z.array(z.string()).optional(),
      attempts: z.array(attempt).optional(),
      cause: z.string().optional(),
      cost: callCost.optional(),
      route: routeTrace.optional(),
      hedge: hedgeTrace.optional().catch(undefined),
    })
    .optional(),
})
export type LogOther = z.output<typeof logOther>
