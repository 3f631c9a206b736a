import type { Transaction } from 'kysely'
import type { Database } from '../db/database.ts'
import type { LedgerEntriesTable, Tables } from '../db/schema.ts'
import { AppError } from '../lib/app-error.ts'
import { addMovementHours } from './movement-hours.ts'
import { writable } from './tables.ts'

/** A user as it begins here. All figures are quota units, `requestCount` is calls. */
export interface OpeningUser {
  readonly id: number
  /** May be negative. */
  readonly quota: number
  /** Earlier use, elsewhere. */
  readonly usedQuota: number
  readonly requestCount: number
  /** Earnings of invitations that are not moved to the balance yet, and all that there ever were. */
  readonly affQuota: number
  readonly affHistory: number
}

export interface OpeningToken {
  readonly id: number
  readonly remainQuota: number
  readonly usedQuota: number
}

interface Opening {
  readonly users?: readonly OpeningUser[]
  readonly tokens?: readonly OpeningToken[]
  /** Channels have no ledger account, only a sum of what they served. */
  readonly channels?: readonly { readonly id: number; readonly usedQuota: number }[]
  /** Unix seconds. */
  readonly at: number
  /** Origin of the balances; becomes the entries' `detail`. */
  readonly detail: Readonly<Record<string, unknown>>
}

type Account = LedgerEntriesTable['account']

interface OpeningEntry {
  readonly account: Account
  readonly accountId: number
  readonly amount: number
}

/**
 * Opening balances of imported accounts, in the transaction that creates their rows with quota 0. The balances cannot have been read
 * before, so they need no queue. Throws AppError('invalid_parameter') for a figure that no column holds exactly.
 */
export const openImported = async (database: Database, trx: Transaction<Tables>, opening: Opening): Promise<void> => {
  const { users = [], tokens = [], channels = [], at, detail } = opening
  const figures = [
    ...users.flatMap(({ id: _, ...sums }) => Object.values(sums)),
    ...tokens.flatMap(({ remainQuota, usedQuota }) => [remainQuota, usedQuota]),
    ...channels.map(({ usedQuota }) => usedQuota),
  ]
  const inexact = figures.find((figure) => !Number.isSafeInteger(figure))
  if (inexact !== undefined) throw new AppError('invalid_parameter', { details: { quota: inexact } })

  const on = writable(trx)
  for (const { id, quota, usedQuota, requestCount, affQuota, affHistory } of users) {
    const set = {
      quota,
      used_quota: usedQuota,
      request_count: requestCount,
      aff_quota: affQuota,
      aff_history_quota: affHistory,
    }
    await on.updateTable('users').set(set).where('id', '=', id).execute()
  }
  for (const { id, remainQuota, usedQuota } of tokens) {
    const set = { remain_quota: remainQuota, used_quota: usedQuota }
    await on.updateTable('tokens').set(set).where('id', '=', id).execute()
  }
  for (const { id, usedQuota } of channels) {
    await on.updateTable('channels').set({ used_quota: usedQuota }).where('id', '=', id).execute()
  }
  await writeEntries(database, trx, { at, detail, entries: entriesOf(users, tokens) })
  await writeUses(database, trx, [
    ...users.map(({ id, usedQuota }) => ({ account: 'user', account_id: id, used: usedQuota })),
    ...tokens.map(({ id, usedQuota }) => ({ account: 'token', account_id: id, used: usedQuota })),
  ])
}

const entriesOf = (users: readonly OpeningUser[], tokens: readonly OpeningToken[]): readonly OpeningEntry[] =>
  [
    ...users.map(({ id, quota }) => ({ account: 'user' as const, accountId: id, amount: quota })),
    ...users.map(({ id, affQuota }) => ({ account: 'aff' as const, accountId: id, amount: affQuota })),
    ...tokens.map(({ id, remainQuota }) => ({ account: 'token' as const, accountId: id, amount: remainQuota })),
  ].filter(({ amount }) => amount !== 0)

const writeEntries = async (
  database: Database,
  trx: Transaction<Tables>,
  { at, detail, entries }: Pick<Opening, 'at' | 'detail'> & { entries: readonly OpeningEntry[] },
): Promise<void> => {
  if (entries.length === 0) return
  const rows = entries.map(({ account, accountId, amount }) => ({
    movement: `opening:${account}:${accountId}`,
    account,
    account_id: accountId,
    amount,
    reason: 'opening' as const,
    created_at: at,
    detail: JSON.stringify(detail),
  }))
  await database.insertMany('ledger_entries', rows, { trx })
  await addMovementHours(
    trx,
    at,
    entries.map((entry) => ({ ...entry, reason: 'opening' as const })),
  )
}

/** Charges count what is used from here on; what was used before has no charges here. */
const writeUses = async (
  database: Database,
  trx: Transaction<Tables>,
  uses: readonly { account: string; account_id: number; used: number }[],
): Promise<void> => {
  const rows = uses.filter(({ used }) => used !== 0)
  if (rows.length > 0) await database.insertMany('opening_uses', rows, { trx })
}
