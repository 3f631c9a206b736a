import { endpoint } from '@tollgate/contract/endpoint'
import { countEndpoint } from '@tollgate/contract/facets'
import { keyPlace, keyPlaceQuery } from '@tollgate/contract/organisations/key-place'
import { idParams, notQuery, pageOf, pageQuery, wordList } from '@tollgate/contract/page'
import { z } from 'zod'

/** States of a batch in the console. */
export const batchStates = [
  'validating',
  'in_progress',
  'finalizing',
  'cancelling',
  'completed',
  'failed',
  'cancelled',
  'expired',
] as const

/** APIs whose clients make batches. */
export const batchForms = ['openai', 'anthropic', 'gemini'] as const

/** A batch as the console lists it; times in seconds, 0 where they have not come. */
export const listedBatch = z.object({
  id: z.int(),
  /** The id that clients know. */
  batch_id: z.string(),
  form: z.enum(batchForms),
  /** Path of its calls; empty where each request has its own. */
  endpoint: z.string(),
  /** Models of its first requests. */
  models: z.array(z.string()),
  state: z.enum(batchStates),
  /** 0 until its requests are counted. */
  total: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  /** Requests that were not begun when it was cancelled or expired. */
  skipped: z.int(),
  /** Quota units that its requests have cost so far. */
  quota: z.int(),
  created_at: z.int(),
  started_at: z.int(),
  ended_at: z.int(),
  expires_at: z.int(),
  /** Why it failed, in the words of its API; `line` is null where the whole batch is meant. */
  errors: z.array(z.object({ code: z.string(), line: z.int().nullable(), message: z.string() })),
  /** Results that can be downloaded. */
  files: z.array(z.enum(['output', 'error'])),
  /** True where requests without success can be made again. */
  retries: z.boolean(),
  user_id: z.int(),
  /** For operators; empty where the user is gone. */
  username: z.string().optional(),
})
export type ListedBatch = z.output<typeof listedBatch>

const number = z.coerce.number().int().optional().catch(undefined)

export const batchFilter = {
  batch_id: z.string().trim().max(100).default(''),
  state: wordList,
  form: wordList,
  user_id: number,
  /** Seconds, on the time of creation. */
  start_timestamp: number,
  end_timestamp: number,
  ...notQuery,
}

export const browseBatches = endpoint({
  method: 'GET',
  path: '/api/batch/browse',
  access: 'admin',
  summary: 'Batches of all users, newest first',
  query: z.object({ ...pageQuery, ...batchFilter }),
  data: pageOf(listedBatch),
})

export const browseOwnBatches = endpoint({
  method: 'GET',
  path: '/api/batch/self/browse',
  access: 'user',
  summary: 'Own batches, newest first',
  query: z.object({ ...pageQuery, ...batchFilter }),
  data: pageOf(listedBatch),
})

export const organisationBatch = listedBatch.extend(keyPlace)
export type OrganisationBatch = z.output<typeof organisationBatch>

export const browseOrganisationBatches = endpoint({
  method: 'GET',
  path: '/api/organisation/:id/batches',
  access: 'user',
  summary: 'Batches of an organisation: own ones, or those of the teams whose calls the caller may read',
  params: idParams,
  query: z.object({ ...pageQuery, ...batchFilter, ...keyPlaceQuery }),
  data: pageOf(organisationBatch),
})

const ownBatchFacets = ['form'] as const
const batchFacets = [...ownBatchFacets, 'user_id'] as const
export type BatchFacet = (typeof batchFacets)[number]

export const countBatches = countEndpoint({
  path: '/api/batch',
  access: 'admin',
  rows: 'batches',
  facets: batchFacets,
  filter: batchFilter,
})
export const countOwnBatches = countEndpoint({
  path: '/api/batch/self',
  access: 'user',
  rows: 'own batches',
  facets: ownBatchFacets,
  filter: batchFilter,
})

export const cancelBatch = endpoint({
  method: 'POST',
  path: '/api/batch/:id/cancel',
  access: 'admin',
  summary: 'Asks for the end of a batch; requests under way end first',
  params: idParams,
})

export const cancelOwnBatch = endpoint({
  method: 'POST',
  path: '/api/batch/self/:id/cancel',
  access: 'user',
  summary: 'Asks for the end of an own batch; requests under way end first',
  params: idParams,
})

export const retryOwnBatch = endpoint({
  method: 'POST',
  path: '/api/batch/self/:id/retry',
  access: 'user',
  summary: 'Makes a new batch of the requests of an own one that had no success',
  params: idParams,
  data: z.object({ id: z.int(), batch_id: z.string() }),
})

export const getOwnBatchResults = endpoint({
  method: 'GET',
  path: '/api/batch/self/:id/results',
  access: 'session',
  summary: 'Results of an own batch, one JSON object in each line',
  params: idParams,
  query: z.object({ kind: z.enum(['output', 'error']).default('output') }),
  answers: 'file',
  fileTypes: ['application/jsonl'],
})
