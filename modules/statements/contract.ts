import { endpoint } from '@tollgate/contract/endpoint'
import { idParams, zoneQuery } from '@tollgate/contract/page'
import { balanceMonth, chargeSums, monthQuery, movementSum } from '@tollgate/contract/records/balance-months'
import { z } from 'zod'

/** The movements of a day by reason; `at` is the hour of the first of them, or the beginning of the day within it, in unix seconds. */
const dayMovement = movementSum.extend({ at: z.int() })

/** A month of a balance; the closing balance of a month is the opening one of the next. */
export const statement = balanceMonth.extend({
  /** Its owner; null for the sum of all users. */
  user: z
    .object({
      id: z.int(),
      username: z.string(),
      display_name: z.string(),
      /** True for an account that was cancelled. */
      deleted: z.boolean(),
    })
    .nullable(),
  /** Charges by API key, dearest first; 0 is the playground. Empty for the whole site. */
  keys: z.array(chargeSums.extend({ token_id: z.int(), name: z.string() })),
  /** `movements` by day, oldest first. Empty for the whole site. */
  days: z.array(dayMovement),
  /** The same for what invitations earned and what was not transferred to the balance yet. */
  earnings: z.object({ opening: z.int(), closing: z.int(), movements: z.array(movementSum) }),
})
export type Statement = z.output<typeof statement>

const query = z.object({
  month: monthQuery,
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
