import { endpoint } from '@tollgate/contract/endpoint'
import { z } from 'zod'

/** A finished request whose texts the database refused; its charge is made without them. Of the node that answers. */
export const refusedRecord = z.object({
  request_id: z.string(),
  /** Unix seconds. */
  created_at: z.int(),
  refused_at: z.int(),
  kind: z.enum(['charge', 'error']),
  /** The record that was being written: the charge with its task, or the log row. */
  step: z.enum(['charge', 'log']),
  /** False where not even the charge could be made. */
  charged: z.boolean(),
  user_id: z.int(),
  username: z.string(),
  token_id: z.int(),
  token_name: z.string(),
  channel: z.int(),
  model_name: z.string(),
  quota: z.int(),
  /** The database's error message. */
  reason: z.string(),
  retries: z.int(),
})
export type RefusedRecord = z.output<typeof refusedRecord>

export const refusedRecordDetail = refusedRecord.extend({
  ip: z.string(),
  content: z.string(),
  /** JSON texts; `task` is empty where none was begun. */
  other: z.string(),
  task: z.string(),
})
export type RefusedRecordDetail = z.output<typeof refusedRecordDetail>

const requestId = z.object({ id: z.string().regex(/^[\w-]{1,100}$/) })

export const listRefusedRecords = endpoint({
  method: 'GET',
  path: '/api/refused-records',
  access: 'admin',
  summary: 'Records of this node that the database refused, the oldest first, 100 at most',
  data: z.object({ items: z.array(refusedRecord), total: z.int(), node_name: z.string() }),
})

export const getRefusedRecord = endpoint({
  method: 'GET',
  path: '/api/refused-records/:id',
  access: 'admin',
  summary: 'One refused record with its texts; named by its request id',
  params: requestId,
  data: refusedRecordDetail,
})

export const retryRefusedRecord = endpoint({
  method: 'POST',
  path: '/api/refused-records/:id/retry',
  access: 'admin',
  summary: 'Writes a refused record again and forgets it when the database takes it; never charges twice',
  params: requestId,
})
