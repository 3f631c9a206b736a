import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Tables } from '../db/schema.ts'
import { AppError } from '../lib/app-error.ts'
import { addSpent } from './caps/spend.ts'
import { type Credit, Debit } from './debits.ts'
import { addMovementHours } from './movement-hours.ts'
import { type LedgerTransaction, writable } from './tables.ts'

/** One side of a movement, with a signed amount. */
interface Entry extends Credit {
  /** The balance may not end below zero; `balance_too_small` otherwise. */
  readonly covered?: boolean
}

export interface Movement {
  /** Repeating a movement changes nothing, whatever its entries are. */
  readonly id: string
  /** Entries, committed together. A function is called inside the transaction, after `guard`. */
  readonly entries: Sides | ((trx: Transaction<Tables>) => Promise<Sides>)
  /** Runs first, in the same transaction; throws to refuse the movement, e.g. because a code is used already. */
  readonly guard?: (trx: Transaction<Tables>) => Promise<void>
  /** Unix seconds. */
  readonly at: number
}

export type Sides = readonly (Credit | Debit)[]

/**
 * Makes a movement inside `trx` and answers the entries it wrote: none when it had been made before. Throws `not_found` for an account that does not
 * exist, and
 * `balance_too_large` for a credit that would bring a balance above 2^53−1.
 */
export const makeMovement = async (
  database: Database,
  trx: Transaction<Tables>,
  movement: Movement,
): Promise<readonly Entry[]> => {
  if (await isKnown(trx, movement.id)) return []
  await movement.guard?.(trx)
  const sides = typeof movement.entries === 'function' ? await movement.entries(trx) : movement.entries
  const entries = sides.map(entryOf)
  // Rows are locked in the same order as by charges: users before tokens, smaller ids first.
  const ordered = entries.toSorted((a, b) => rank(a) - rank(b) || a.accountId - b.accountId)
  for (const entry of ordered) await changeBalance(writable(trx), entry)
  if (ordered.length > 0) {
    await database.insertMany('ledger_entries', ordered.map(rowOf(movement)), { trx })
    await addMovementHours(trx, movement.at, ordered)
  }
  return ordered
}

const entryOf = (side: Credit | Debit): Entry => {
  if (side instanceof Debit) {
    const { from, held, covered } = side
    const entry = { ...from, amount: 0 - side.taken, covered }
    return held === undefined ? entry : { ...entry, detail: { ...from.detail, held } }
  }
  if (!Number.isSafeInteger(side.amount) || side.amount < 0)
    throw new AppError('invalid_parameter', { details: { quota: side.amount } })
  return side
}

/** True if a movement of this id was made. */
export const isKnown = async (trx: Kysely<Tables>, movement: string): Promise<boolean> => {
  const sameMovement = trx.selectFrom('ledger_entries').select('id').where('movement', '=', movement).limit(1)
  return (await sameMovement.executeTakeFirst()) !== undefined
}

const rank = ({ account }: Entry): number => (account === 'cap' ? 2 : account === 'token' ? 1 : 0)

const changeBalance = async (trx: LedgerTransaction, entry: Entry): Promise<void> => {
  const before = await changers[entry.account](trx, entry)
  const name = { account: entry.account, id: entry.accountId }
  if (before === undefined) throw new AppError('not_found', { details: name })
  const balance = before + entry.amount
  if (balance > Number.MAX_SAFE_INTEGER) throw new AppError('balance_too_large', { details: name })
  if (!Number.isSafeInteger(balance) || (entry.covered === true && balance < 0))
    throw new AppError('balance_too_small', { details: { ...name, balance } })
}

/** Charges and what is given back of them also move the account's `used_quota`. */
const used = ({ amount, reason }: Entry): number => (reason === 'charge' || reason === 'refund' ? -amount : 0)

type Change = (trx: LedgerTransaction, entry: Entry) => Promise<number | undefined>

/**
 * Each changes one row, which locks it, and answers the balance that was there before: that can be read even where the one that results
 * is too large for a number.
 */
const changers: Readonly<Record<Credit['account'], Change>> = {
  async user(trx, entry) {
    const set = {
      quota: sql<number>`quota + ${sql.lit(entry.amount)}`,
      used_quota: sql<number>`used_quota + ${sql.lit(used(entry))}`,
    }
    await trx.updateTable('users').set(set).where('id', '=', entry.accountId).execute()
    const before = sql<number>`quota - ${sql.lit(entry.amount)}`.as('before')
    const row = await trx.selectFrom('users').select(before).where('id', '=', entry.accountId).executeTakeFirst()
    return row && Number(row.before)
  },
  async token(trx, entry) {
    const set = {
      remain_quota: sql<number>`remain_quota + ${sql.lit(entry.amount)}`,
      used_quota: sql<number>`used_quota + ${sql.lit(used(entry))}`,
    }
    await trx.updateTable('tokens').set(set).where('id', '=', entry.accountId).execute()
    const before = sql<number>`remain_quota - ${sql.lit(entry.amount)}`.as('before')
    const row = await trx.selectFrom('tokens').select(before).where('id', '=', entry.accountId).executeTakeFirst()
    return row && Number(row.before)
  },
  async cap(trx, entry) {
    await addSpent(trx as unknown as Transaction<Tables>, new Map([[entry.accountId, -entry.amount]]))
    const row = await trx
      .selectFrom('spend_windows')
      .select('spent')
      .where('id', '=', entry.accountId)
      .executeTakeFirst()
    return row && 0 - row.spent - entry.amount
  },
  /** Earnings of invitations; `aff_history_quota` holds the sum of all time. */
  async aff(trx, entry) {
    const set = {
      aff_quota: sql<number>`aff_quota + ${sql.lit(entry.amount)}`,
      aff_history_quota: sql<number>`aff_history_quota + ${sql.lit(Math.max(0, entry.amount))}`,
    }
    await trx.updateTable('users').set(set).where('id', '=', entry.accountId).execute()
    const before = sql<number>`aff_quota - ${sql.lit(entry.amount)}`.as('before')
    const row = await trx.selectFrom('users').select(before).where('id', '=', entry.accountId).executeTakeFirst()
    return row && Number(row.before)
  },
}

const rowOf =
  ({ id, at }: Movement) =>
  (entry: Entry) => ({
    movement: id,
    account: entry.account,
    account_id: entry.accountId,
    amount: entry.amount,
    reason: entry.reason,
    created_at: at,
    detail: JSON.stringify(entry.detail ?? {}),
  })
