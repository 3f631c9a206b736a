import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { pageOf, pageQuery, sortQuery } from './page.ts'

/** 1–4 as in the mission; 5 records a request that failed, with its cause. */
export const logType = { unknown: 0, topUp: 1, consume: 2, manage: 3, system: 4, error: 5 } as const

/**
 * One line of a receipt: `quantity × price` quota before the model and group ratio.
 * `price` is the ratio of this kind of token to the model's input price, as exact decimal text.
 */
export const receiptLine = z.object({
  item: z.string(),
  quantity: z.int(),
  price: z.string(),
})

/**
 * The frozen price of a request; recomputing it gives the charge.
 * `quota = round(Σ quantity × price × model_ratio × group_ratio)`, or `round(Σ quantity × price × model_price ×
 * quota_per_unit × group_ratio)` for a call, which has one line, `call`, or none when the upstream did nothing.
 * All ratios are exact decimal text.
 */
export const receipt = z.object({
  mode: z.enum(['tokens', 'call']),
  lines: z.array(receiptLine),
  model_ratio: z.string(),
  model_price: z.string().optional(),
  group_ratio: z.string(),
  quota_per_unit: z.string(),
  quota: z.int(),
  /** True when tokens were counted here because the upstream reported none. */
  estimated: z.boolean(),
})
export type Receipt = z.output<typeof receipt>

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
})
export type Attempt = z.output<typeof attempt>

/**
 * The `other` column, JSON text on the wire (mission document 2 §3, relay reference §22).
 * `admin_info` is removed for ordinary users.
 */
export const logOther = z.looseObject({
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
  /** Milliseconds to the first byte of the answer; -1000 when none was recorded. */
  frt: z.number().optional(),
  reasoning_effort: z.string().optional(),
  receipt: receipt.optional(),
  /** How it ended: done, client_gone, upstream_broke, stopped (at a blocked word), interrupted. */
  end: z.string().optional(),
  /** Whole duration in milliseconds. */
  duration_ms: z.number().optional(),
  /** Status that the client got, for failed requests. */
  status: z.int().optional(),
  error_code: z.string().optional(),
  path: z.string().optional(),
  admin_info: z
    .looseObject({
      use_channel: z.array(z.string()).optional(),
      attempts: z.array(attempt).optional(),
      cause: z.string().optional(),
    })
    .optional(),
})
export type LogOther = z.output<typeof logOther>

export const log = z.object({
  id: z.int(),
  user_id: z.int(),
  created_at: z.int(),
  type: z.int(),
  content: z.string(),
  username: z.string(),
  token_name: z.string(),
  token_id: z.int(),
  model_name: z.string(),
  quota: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  /** Whole seconds. */
  use_time: z.int(),
  is_stream: z.boolean(),
  channel: z.int(),
  channel_name: z.string(),
  group: z.string(),
  request_id: z.string(),
  ip: z.string(),
  other: z.string(),
})
export type Log = z.output<typeof log>

const optionalNumber = z.coerce.number().int().optional().catch(undefined)

const filter = {
  type: optionalNumber,
  start_timestamp: optionalNumber,
  end_timestamp: optionalNumber,
  username: z.string().default(''),
  token_name: z.string().default(''),
  model_name: z.string().default(''),
  channel: optionalNumber,
  group: z.string().default(''),
  request_id: z.string().default(''),
}
const logSort = sortQuery(['id', 'quota', 'prompt_tokens', 'completion_tokens', 'use_time'])

const stat = z.object({ quota: z.int(), rpm: z.int(), tpm: z.int() })

export const listLogs = endpoint({
  method: 'GET',
  path: '/api/log/',
  access: 'admin',
  summary: 'All logs, newest first',
  query: z.object({ ...pageQuery, ...filter, sort: logSort }),
  data: pageOf(log),
})

export const listOwnLogs = endpoint({
  method: 'GET',
  path: '/api/log/self',
  access: 'user',
  summary: 'Own logs, newest first',
  query: z.object({ ...pageQuery, ...filter, sort: logSort }),
  data: pageOf(log),
})

export const statLogs = endpoint({
  method: 'GET',
  path: '/api/log/stat',
  access: 'admin',
  summary: 'Quota in the range; requests and tokens of the last minute',
  query: z.object(filter),
  data: stat,
})

export const statOwnLogs = endpoint({
  method: 'GET',
  path: '/api/log/self/stat',
  access: 'user',
  summary: 'The same for own logs',
  query: z.object(filter),
  data: stat,
})
