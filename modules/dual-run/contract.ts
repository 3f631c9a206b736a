import { endpoint } from '@tollgate/contract/endpoint'
import { idParams, pageOf, pageQuery } from '@tollgate/contract/page'
import { z } from 'zod'

/** One request, answered here and by the second gateway. */
export const dualRunRow = z.object({
  id: z.int(),
  request_id: z.string(),
  /** Unix seconds. */
  created_time: z.int(),
  model: z.string(),
  path: z.string(),
  /** HTTP status of the second gateway; 0 where it did not answer. */
  status: z.int(),
  same_text: z.boolean(),
  same_tools: z.boolean(),
  same_finish: z.boolean(),
  same_usage: z.boolean(),
  quota: z.int(),
  /** Charge of the second gateway's usage at the price of this call; 0 if it reported no usage. */
  second_quota: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  second_prompt_tokens: z.int(),
  second_completion_tokens: z.int(),
  took_ms: z.int(),
  second_ms: z.int(),
})
export type DualRunRow = z.output<typeof dualRunRow>

/** Both sides, without secrets and cut to a bound. */
export const dualRunTexts = z.object({
  text: z.string(),
  second_text: z.string(),
  tool_calls: z.int(),
  second_tool_calls: z.int(),
  finish: z.string(),
  second_finish: z.string(),
  /** Why the second gateway has no answer; empty where it has. */
  error: z.string(),
})

export const dualRunDetails = dualRunRow.extend(dualRunTexts.shape)
export type DualRunDetails = z.output<typeof dualRunDetails>

/** Sums over the comparisons that are still stored. */
export const dualRunSums = z.object({
  on: z.boolean(),
  compared: z.int(),
  failed: z.int(),
  same_text: z.int(),
  same_tools: z.int(),
  same_finish: z.int(),
  same_usage: z.int(),
  quota: z.number(),
  second_quota: z.number(),
  /** Quota units that the second gateway may have cost today, and the most that it may. */
  today: z.number(),
  daily_limit: z.number(),
})

export const listDualRuns = endpoint({
  method: 'GET',
  path: '/api/dual_run/',
  access: 'root',
  summary: 'Calls that a second gateway was asked, too, the newest first',
  query: z.object({
    ...pageQuery,
    /** `1` for those that differ only. */
    differing: z.enum(['', '1']).default(''),
  }),
  data: pageOf(dualRunRow),
})

export const getDualRunSums = endpoint({
  method: 'GET',
  path: '/api/dual_run/sums',
  access: 'root',
  summary: 'How often the second gateway answers the same, and what both cost',
  data: dualRunSums,
})

export const getDualRun = endpoint({
  method: 'GET',
  path: '/api/dual_run/:id',
  access: 'root',
  summary: 'Both answers of one call',
  params: idParams,
  data: dualRunDetails,
})
