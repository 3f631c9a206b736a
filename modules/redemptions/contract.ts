import { batchResult, batchRows, batchSummary, exactNumbers, restoreAct } from '@tollgate/contract/batches'
import { endpoint } from '@tollgate/contract/endpoint'
import { countEndpoint } from '@tollgate/contract/facets'
import { idParams, notQuery, numberList, pageOf, pageQuery, sortQuery } from '@tollgate/contract/page'
import { z } from 'zod'

/** Status of a code. A used one stays used. */
export const redemptionStatus = { unused: 1, disabled: 2, used: 3 } as const

/** In filters only: unused, but past its time. */
export const redemptionExpired = 4

/** Characters of a name, and codes made by one call. */
export const longestRedemptionName = 20
export const mostRedemptions = 100

export const redemption = z.object({
  id: z.int(),
  /** Id of its creator. */
  user_id: z.int(),
  creator: z.string(),
  /** Masked (`abcd****wxyz`); whole only from `createRedemptions` and `revealRedemptions`. */
  key: z.string(),
  status: z.int(),
  name: z.string(),
  quota: z.int(),
  created_time: z.int(),
  /** 0 until it is used. */
  redeemed_time: z.int(),
  /** 0 until it is used. */
  used_user_id: z.int(),
  used_username: z.string(),
  /** Unix seconds; 0 when it never expires. */
  expired_time: z.int(),
  /** The same for all codes that one call made. */
  batch_id: z.string(),
  /** Only the call that makes codes sets it; always 0 in lists. */
  count: z.int(),
  DeletedAt: z.string().nullable(),
})
export type Redemption = z.output<typeof redemption>

const listFilter = { status: numberList, batch_id: z.string().default(''), ...notQuery }
export const redemptionFilter = { keyword: z.string().default(''), ...listFilter }

const order = {
  sort: sortQuery(['id', 'name', 'status', 'quota', 'created_time', 'redeemed_time', 'expired_time']),
}

export const listRedemptions = endpoint({
  method: 'GET',
  path: '/api/redemption/',
  access: 'admin',
  summary: 'Redemption codes, newest first, page 1 first',
  query: z.object({ ...pageQuery, ...listFilter, ...order }),
  data: pageOf(redemption),
})

export const searchRedemptions = endpoint({
  method: 'GET',
  path: '/api/redemption/search',
  access: 'admin',
  summary: 'Redemption codes by id or the beginning of the name',
  query: z.object({ ...pageQuery, ...redemptionFilter, ...order }),
  data: pageOf(redemption),
})

export const countRedemptions = countEndpoint({
  path: '/api/redemption',
  access: 'admin',
  rows: 'redemption codes',
  facets: ['status'],
  filter: redemptionFilter,
})

export const batchRedemptions = endpoint({
  method: 'POST',
  path: '/api/redemption/batch/run',
  access: 'admin',
  summary: batchSummary('redemption codes'),
  body: z.object({
    which: batchRows({ ...redemptionFilter, status: exactNumbers }),
    act: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('delete') }),
      restoreAct,
      z.object({
        kind: z.literal('status'),
        status: z.literal([redemptionStatus.unused, redemptionStatus.disabled]),
      }),
    ]),
  }),
  data: batchResult,
})

export const getRedemption = endpoint({
  method: 'GET',
  path: '/api/redemption/:id',
  access: 'admin',
  summary: 'One redemption code',
  params: idParams,
  data: redemption,
})

const revealed = z.object({ id: z.int(), name: z.string(), key: z.string() })

/** A call of its own, so that lists never carry keys; leaves a trace. */
export const revealRedemptions = endpoint({
  method: 'POST',
  path: '/api/redemption/keys',
  access: 'admin',
  confirm: true,
  summary: 'The whole keys of some redemption codes, in the order asked for',
  body: z.object({ ids: z.array(z.int().positive()).min(1).max(mostRedemptions) }),
  data: z.array(revealed),
})

/** Name, quota and count are checked by the server, whose words clients know. A blank name becomes the quota as text. */
export const createRedemptions = endpoint({
  method: 'POST',
  path: '/api/redemption/',
  access: 'admin',
  summary: 'Makes redemption codes; the answer lists their keys',
  body: z.object({
    name: z.string().default(''),
    quota: z.int().default(100_000),
    count: z.int().default(1),
    expired_time: z.int().min(0).default(0),
  }),
  data: z.array(z.string()),
})

/** With `status_only` only the status changes. Absent fields stay as they are. */
export const updateRedemption = endpoint({
  method: 'PUT',
  path: '/api/redemption/',
  access: 'admin',
  summary: 'Changes an unused redemption code, or enables and disables one',
  query: z.object({ status_only: z.string().optional() }),
  body: z.object({
    id: z.int().positive(),
    name: z.string().optional(),
    quota: z.int().optional(),
    expired_time: z.int().min(0).optional(),
    status: z.int().optional(),
  }),
  data: redemption,
})

export const deleteRedemption = endpoint({
  method: 'DELETE',
  path: '/api/redemption/:id',
  access: 'admin',
  summary: 'Deletes a redemption code',
  params: idParams,
})

export const redeemCode = endpoint({
  method: 'POST',
  path: '/api/user/topup',
  access: 'user',
  summary: 'Redeems a code; the answer is the quota it added',
  body: z.object({ key: z.string().default('') }),
  data: z.int(),
})
