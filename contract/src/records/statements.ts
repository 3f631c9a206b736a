import { z } from 'zod'
import { ledgerReasons } from '../accounts/user-page.ts'
import { endpoint } from '../endpoint.ts'
import { idParams, zoneQuery } from '../page.ts'

const sums = {
  /** Calls that were charged. */
  count: z.int(),
  /** Quota units that they cost. */
  quota: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
}

const movementSum = z.object({
  reason: z.enum(ledgerReasons),
  count: z.int(),
  /** Signed quota units. */
  amount: z.int(),
})

/** The movements of a day by reason; `at` is the hour of the first of them, or the beginning of the day within it, in unix seconds. */
const dayMovement = movementSum.extend({ at: z.int() })

/**
 * A month of a balance, every figure a sum of ledger entries: opening + movements − charges = closing, and the closing balance
 * of a month is the opening one of the next. The months of a zone begin to the minute.
 */
export const statement = z.object({
  /** Whose balance; null for the sum of all users. */
  user: z
    .object({
      id: z.int(),
      username: z.string(),
      display_name: z.string(),
      /** True for an account that was cancelled. */
      deleted: z.boolean(),
    })
    .nullable(),
  /** For example `2026-10`. */
  month: z.string(),
  zone: z.string(),
  /** Unix seconds; `from` is included, `to` is not. */
  from: z.int(),
  to: z.int(),
  /** False while the month lasts: the closing balance is the one of this moment. */
  complete: z.boolean(),
  /** Quota units. */
  opening: z.int(),
  closing: z.int(),
  /** Everything but charges. */
  movements: z.array(movementSum),
  charges: z.object(sums),
  /** Charges by model, dearest first. An empty name stands for charges from before models were summed. */
  models: z.array(z.object({ model: z.string(), ...sums })),
  /** Charges by API key, dearest first; 0 is the playground. Empty for the whole site. */
  keys: z.array(z.object({ token_id: z.int(), name: z.string(), ...sums })),
  /** `movements` by day, oldest first. Empty for the whole site. */
  days: z.array(dayMovement),
  /** The same for what invitations earned and what was not transferred to the balance yet. */
  earnings: z.object({ opening: z.int(), closing: z.int(), movements: z.array(movementSum) }),
  /** Quota units that make one unit of currency. */
  quota_per_unit: z.number(),
})
export type Statement = z.output<typeof statement>

const month = z
  .string()
  .regex(/^20\d\d-(0[1-9]|1[0-2])$/)
  .optional()

const query = z.object({
  /** `2026-10`; the present month when absent. */
  month,
  zone: zoneQuery,
})

const file = { answers: 'file', fileTypes: ['text/csv'] } as const

export const getOwnStatement = endpoint({
  method: 'GET',
  path: '/api/statement/self',
  access: 'user',
  summary: 'A month of the own balance: opening balance, movements, charges by model and key, closing balance',
  query,
  data: statement,
})

export const exportOwnStatement = endpoint({
  method: 'GET',
  path: '/api/statement/self/export',
  access: 'user',
  summary: 'The own statement of a month as CSV',
  query,
  ...file,
})

export const getUserStatement = endpoint({
  method: 'GET',
  path: '/api/statement/user/:id',
  access: 'admin',
  summary: "A month of a user's balance; cancelled users too",
  params: idParams,
  query,
  data: statement,
})

export const exportUserStatement = endpoint({
  method: 'GET',
  path: '/api/statement/user/:id/export',
  access: 'admin',
  summary: "A user's statement of a month as CSV",
  params: idParams,
  query,
  ...file,
})

export const getSiteStatement = endpoint({
  method: 'GET',
  path: '/api/statement/site',
  access: 'admin',
  summary: 'A month of all balances together',
  query,
  data: statement,
})

export const exportSiteStatement = endpoint({
  method: 'GET',
  path: '/api/statement/site/export',
  access: 'admin',
  summary: 'A month of all balances as CSV, one line per user and one for their sum',
  query,
  ...file,
})
