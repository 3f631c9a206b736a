import { endpoint } from '@tollgate/contract/endpoint'
import { idParams, pageOf, pageQuery } from '@tollgate/contract/page'
import { priceKeys } from '@tollgate/contract/pricing'
import { longestModelName } from '@tollgate/contract/sizes'
import { z } from 'zod'

/**
 * `preparing`: calls are computed anew; `ready`: old and new sums are known and nothing has moved; `applying`: charges are
 * reversed and made anew; `done`; `cancelled` before anything moved.
 */
export const correctionStates = ['preparing', 'ready', 'applying', 'done', 'cancelled'] as const

/**
 * Why calls of the window are not corrected. `paid_back`: a task that failed and cost nothing in the end, or a content that was deleted early; `not_logged`: charged, but
 * not in the log any more; `task`: corrections of earlier versions left tasks out.
 */
export const leftOutReasons = [
  'same',
  'no_price',
  'no_receipt',
  'not_charged',
  'paid_back',
  'not_logged',
  'task',
] as const

const priceChange = z.object({ key: z.enum(priceKeys), value: z.string() })

const filter = {
  /** Exact names; an empty list does not filter. */
  models: z.array(z.string().min(1).max(longestModelName)).max(100),
  channels: z.array(z.int().positive()).max(100),
  users: z.array(z.int().positive()).max(100),
}

/** Quota units. */
const sums = { calls: z.int(), old_quota: z.int(), new_quota: z.int() }

export const correction = z.object({
  id: z.int(),
  created_at: z.int(),
  actor_id: z.int(),
  actor_name: z.string(),
  note: z.string(),
  state: z.enum(correctionStates),
  /** Unix seconds, both included: when the calls ended. */
  from: z.int(),
  to: z.int(),
  ...filter,
  changes: z.array(priceChange),
  /** Logged calls of the window that were looked at. */
  seen: z.int(),
  /** How many of them are left out, by reason. */
  left_out: z.partialRecord(z.enum(leftOutReasons), z.int()),
  /** Calls whose charge changes. */
  ...sums,
  /** How many of these calls are charged anew so far. */
  applied: z.int(),
  /** Of these, left as they are because another correction came first. */
  skipped: z.int(),
  /** 0 until it is done or cancelled. */
  finished_time: z.int(),
})
export type Correction = z.output<typeof correction>

const correctedUser = z.object({ user_id: z.int(), username: z.string(), ...sums, applied_calls: z.int() })

export const correctionDetail = correction.extend({
  /** Users whose charges change, the largest change first; a long list is cut. */
  users_changed: z.array(correctedUser),
  users_total: z.int(),
})
export type CorrectionDetail = z.output<typeof correctionDetail>

export const listCorrections = endpoint({
  method: 'GET',
  path: '/api/correction/',
  access: 'root',
  summary: 'Corrections of prices, newest first',
  query: z.object(pageQuery),
  data: pageOf(correction),
})

export const createCorrection = endpoint({
  method: 'POST',
  path: '/api/correction/',
  access: 'root',
  summary: 'Computes what logged calls would have cost at another price; nothing moves before it is applied',
  body: z
    .object({
      from: z.int().positive(),
      to: z.int().positive(),
      models: filter.models.default([]),
      channels: filter.channels.default([]),
      users: filter.users.default([]),
      changes: z
        .array(priceChange)
        .min(1)
        .max(priceKeys.length)
        .refine((changes) => new Set(changes.map(({ key }) => key)).size === changes.length),
      note: z.string().max(1000).default(''),
    })
    .refine(({ from, to }) => from <= to)
    .refine(({ models, channels, users }) => models.length + channels.length + users.length > 0),
  data: correction,
  unusableBodyStatus: 400,
})

export const getCorrection = endpoint({
  method: 'GET',
  path: '/api/correction/:id',
  access: 'root',
  summary: 'A correction with its sums per user and how far it is',
  params: idParams,
  data: correctionDetail,
})

export const applyCorrection = endpoint({
  method: 'POST',
  path: '/api/correction/:id/apply',
  access: 'root',
  summary: 'Charges the calls of a correction anew, in the background; repeating it changes nothing',
  params: idParams,
  data: correction,
})

export const cancelCorrection = endpoint({
  method: 'POST',
  path: '/api/correction/:id/cancel',
  access: 'root',
  summary: 'Drops a correction that was not applied',
  params: idParams,
  data: correction,
})

export const exportCorrection = endpoint({
  method: 'GET',
  path: '/api/correction/:id/export',
  access: 'root',
  summary: 'The calls of a correction with old and new charge',
  params: idParams,
  query: z.object({ format: z.enum(['csv', 'json']).default('csv') }),
  answers: 'file',
  fileTypes: ['text/csv', 'application/json'],
})
