import { sql, type Transaction } from 'kysely'
import type { Database } from '../db/database.ts'
import type { LedgerEntriesTable, Tables } from '../db/schema.ts'
import { AppError } from '../lib/app-error.ts'
import { addSpent } from './caps/spend.ts'
import { addMovementHours } from './statements/movement-hours.ts'
import { type LedgerTransaction, writable } from './tables.ts'

type Account = LedgerEntriesTable['account']
type Reason = LedgerEntriesTable['reason']

/** One side of a movement. */
export interface Entry {
  readonly account: Account
  readonly accountId: number
  /** Signed quota units. */
  readonly amount: number
  readonly reason: Reason
  /** Who did it and why; becomes the entry's `detail`. */
  readonly detail?: Readonly<Record<string, unknown>>
  /** The balance may not end below this; `balance_too_small` otherwise. */
  readonly least?: number
}

export interface Movement {
  /** Repeating a movement changes nothing, whatever its entries are. */
  readonly id: string
  /** All are made or none. A function is asked inside the transaction, after `guard`. */
  readonly entries: readonly Entry[] | ((trx: Transaction<Tables>) => Promise<readonly Entry[]>)
  /** Runs first, in the same transaction; throws to refuse the movement, e.g. because a code is used already. */
  readonly guard?: (trx: Transaction<Tables>) => Promise<void>
  /** Unix seconds. */
  readonly at: number
}

/**
 * Makes a movement inside `trx` and answers the entries it wrote: none when it had been made before. Throws `not_found` for an account that does not
 * exist.
 */
export const makeMovement = async (
  database: Database,
  trx: Transaction<Tables>,
  movement: Movement,
): Promise<readonly Entry[]> => {
  if (await isKnown(trx, movement.id)) return []
  await movement.guard?.(trx)
  const entries = typeof movement.entries === 'function' ? await movement.entries(trx) : movement.entries
  // Rows are locked in the same order as by charges: users before tokens, smaller ids first.
  const ordered = entries.toSorted((a, b) => rank(a) - rank(b) || a.accountId - b.accountId)
  for (const { amount } of ordered) mustBeWhole(amount)
  for (const entry of ordered) await changeBalance(writable(trx), entry)
  if (ordered.length > 0) {
    await database.insertMany('ledger_entries', ordered.map(rowOf(movement)), { trx })
    await addMovementHours(trx, movement.at, ordered)
  }
  return ordered
}

const mustBeWhole = (quota: number): void => {
  if (!Number.isSafeInteger(quota)) throw new AppError('invalid_parameter', { details: { quota } })
}

const isKnown = async (trx: Transaction<Tables>, movement: string): Promise<boolean> => {
  const sameMovement = trx.selectFrom('ledger_entries').select('id').where('movement', '=', movement).limit(1)
  return (await sameMovement.executeTakeFirst()) !== undefined
}

const rank = ({ account }: Entry): number => (account === 'cap' ? 2 : account === 'token' ? 1 : 0)

const changeBalance = async (trx: LedgerTransaction, entry: Entry): Promise<void> => {
  const balance = await changers[entry.account](trx, entry)
  if (balance === undefined) {
    throw new AppError('not_found', { details: { account: entry.account, id: entry.accountId } })
  }
  mustBeWhole(balance)
  if (entry.least !== undefined && balance < entry.least) {
    throw new AppError('balance_too_small', { details: { account: entry.account, id: entry.accountId, balance } })
  }
}

/** Charges and what is given back of them also move the account's `used_quota`. */
const used = ({ amount, reason }: Entry): number => (reason === 'charge' || reason === 'refund' ? -amount : 0)

type Change = (trx: LedgerTransaction, entry: Entry) => Promise<number | undefined>

/** Each changes one row, which locks it, and answers the balance that results. */
const changers: Readonly<Record<Account, Change>> = {
  async user(trx, entry) {
    const set = {
      quota: sql<number>`quota + ${sql.lit(entry.amount)}`,
      used_quota: sql<number>`used_quota + ${sql.lit(used(entry))}`,
    }
    await trx.updateTable('users').set(set).where('id', '=', entry.accountId).execute()
    const row = await trx.selectFrom('users').select('quota').where('id', '=', entry.accountId).executeTakeFirst()
    return row?.quota
  },
  async token(trx, entry) {
    const set = {
      remain_quota: sql<number>`remain_quota + ${sql.lit(entry.amount)}`,
      used_quota: sql<number>`used_quota + ${sql.lit(used(entry))}`,
    }
    await trx.updateTable('tokens').set(set).where('id', '=', entry.accountId).execute()
    const row = await trx
      .selectFrom('tokens')
      .select('remain_quota')
      .where('id', '=', entry.accountId)
      .executeTakeFirst()
    return row?.remain_quota
  },
  async cap(trx, entry) {
    await addSpent(trx as unknown as Transaction<Tables>, new Map([[entry.accountId, -entry.amount]]))
    const row = await trx
      .selectFrom('spend_windows')
      .select('spent')
      .where('id', '=', entry.accountId)
      .executeTakeFirst()
    return row && 0 - row.spent
  },
  /** What invitations earned; `aff_history_quota` keeps what ever came in. */
  async aff(trx, entry) {
    const set = {
      aff_quota: sql<number>`aff_quota + ${sql.lit(entry.amount)}`,
      aff_history_quota: sql<number>`aff_history_quota + ${sql.lit(Math.max(0, entry.amount))}`,
    }
    await trx.updateTable('users').set(set).where('id', '=', entry.accountId).execute()
    const row = await trx.selectFrom('users').select('aff_quota').where('id', '=', entry.accountId).executeTakeFirst()
    return row?.aff_quota
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
