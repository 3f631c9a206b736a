import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { refusalFields } from '../errors/refusal.ts'

/** Refund for a cached content that was deleted early, not yet paid back to the user. */
export const storageRefund = z.object({
  /** The call that paid to keep the content. */
  request_id: z.string(),
  user_id: z.int(),
  /** Empty for a user who is gone. */
  username: z.string(),
  channel: z.int(),
  content_name: z.string(),
  quota: z.int(),
  /** Unix seconds. */
  created_at: z.int(),
  next_at: z.int(),
  attempts: z.int(),
  /** Why the last attempt failed. */
  reason: z.string(),
  ...refusalFields,
})
export type StorageRefundRow = z.output<typeof storageRefund>

const requestId = z.object({ id: z.string().regex(/^[\w-]{1,100}$/) })

export const listStorageRefunds = endpoint({
  method: 'GET',
  path: '/api/storage-refunds',
  access: 'admin',
  summary: 'Refunds for cached contents that failed so far and are tried again, the oldest first, 100 at most',
  data: z.object({ items: z.array(storageRefund), total: z.int() }),
})

export const retryStorageRefund = endpoint({
  method: 'POST',
  path: '/api/storage-refunds/:id/retry',
  access: 'admin',
  summary: 'Makes a refund now; named by the call that paid, and never made twice',
  params: requestId,
})

export const dropStorageRefund = endpoint({
  method: 'DELETE',
  path: '/api/storage-refunds/:id',
  access: 'admin',
  summary: 'Gives a refund up: it is not tried again',
  params: requestId,
})
