import { randomUUID } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { Database } from '../db/database.ts'
import { isUniqueViolation } from '../db/dialect.ts'
import type { Tables } from '../db/schema.ts'
import { AppError } from '../lib/app-error.ts'
import type { SerialQueue } from '../lib/serial-queue.ts'
import { readBalances } from './balances.ts'
import { capsCharged } from './caps/spend.ts'
import { applyCorrections, type CorrectionBatch, type CorrectionOutcome } from './corrections/apply.ts'
import { type AccountName, type Accounts, chargedAccounts } from './holds/accounts.ts'
import { type Entry, type Movement, makeMovement } from './move.ts'
import { type Refund, refundEntries } from './refund.ts'
import { writable } from './tables.ts'

export interface MovementsParts {
  readonly database: Database
  readonly queue: SerialQueue
  readonly accounts: Accounts
  readonly shared: boolean
  /** Whether hourly figures are collected (option DataExportEnabled). */
  hourly(): boolean
  readonly now: () => number
  /** Resolves when what was charged so far is in the database. */
  applied?(): Promise<void>
}

type Detail = Readonly<Record<string, unknown>>

interface Why {
  /** Makes a repeat harmless; a fresh one when left out. */
  readonly movement?: string
  readonly reason?: Entry['reason']
  readonly detail?: Detail
}

/** Every change of a balance that is not a charge. */
export interface Movements {
  /** Makes a movement and answers false when it had been made before. */
  move(movement: Omit<Movement, 'at'>): Promise<boolean>
  /** Credits or debits a user; a debit that the balance does not cover is `balance_too_small`. */
  adjust(change: Why & { userId: number; amount: number }): Promise<boolean>
  /** Makes a user's balance this, whatever is charged meanwhile. */
  setBalance(change: Why & { userId: number; balance: number }): Promise<boolean>
  adjustToken(change: Why & { tokenId: number; amount: number }): Promise<boolean>
  setTokenRemain(change: Why & { tokenId: number; remain: number }): Promise<boolean>
  /** Moves what a token has left to one that `begin` makes in the same transaction; answers its id. A token moves once. */
  moveToken(change: {
    tokenId: number
    detail?: Detail
    begin: (trx: Transaction<Tables>) => Promise<number>
  }): Promise<number>
  /**
   * The first balance of a user or token, in the transaction that creates its row with quota 0. Nobody can have asked
   * for its balance before, so it needs no queue.
   */
  open(trx: Transaction<Tables>, account: 'user' | 'token', id: number, amount: number, detail?: Detail): Promise<void>
  /**
   * Pending earnings of a user, in the transaction of what earned them, e.g. an invitation. These accounts are kept in
   * nobody's memory, so they need no queue.
   */
  earn(
    trx: Transaction<Tables>,
    earning: { movement: string; userId: number; amount: number; detail?: Detail },
  ): Promise<void>
  /** Refunds a charge to the user and token that paid it; false when it had been given back, or was not due. */
  refund(refund: Refund): Promise<boolean>
  /** Charges calls anew in one transaction, each once per correction whatever is repeated. */
  correct(batch: CorrectionBatch): Promise<CorrectionOutcome>
  /** Reads a token again after its `unlimited_quota` changed. */
  refreshToken(tokenId: number): Promise<void>
  /** Reads the account of a spending cap again after its amount changed. */
  refreshCap(account: number): Promise<void>
}

export const openMovements = (parts: MovementsParts): Movements => {
  const { database, queue, accounts, shared } = parts
  const at = (): number => Math.floor(parts.now() / 1000)

  const attempt = async (movement: Movement): Promise<boolean> => {
    let entries: readonly Entry[] = []
    try {
      const balances = await database.transaction(async (trx) => {
        entries = await makeMovement(database, trx, movement)
        return balancesOf(trx, entries)
      })
      await accounts.committed([], balances)
      return entries.length > 0
    } catch (error) {
      // The connection may have broken after the commit.
      await accounts.doubt(namesOf(entries))
      throw error
    }
  }

  /** Another node may make the same movement at the same moment; a second look then finds it. */
  const make = (movement: Movement): Promise<boolean> =>
    queue.run(() =>
      attempt(movement).catch((error: unknown) => {
        if (!isUniqueViolation(error)) throw error
        return attempt(movement)
      }),
    )

  const correctOnce = async (batch: CorrectionBatch): Promise<CorrectionOutcome> => {
    const caps = await capsCharged(
      database.query,
      batch.calls.map(({ requestId }) => requestId),
    )
    const names = batch.calls.flatMap((call) => chargedAccounts({ ...call, caps: caps.get(call.requestId) ?? [] }))
    try {
      const { outcome, balances } = await database.transaction(async (trx) => ({
        outcome: await applyCorrections({ database, hourly: parts.hourly(), at: at() }, trx, batch),
        balances: await readBalances(trx, names, { versions: shared }),
      }))
      await accounts.committed([], balances)
      return outcome
    } catch (error) {
      await accounts.doubt(names)
      throw error
    }
  }

  const balancesOf = (trx: Transaction<Tables>, entries: readonly Entry[]) =>
    readBalances(trx, namesOf(entries), { versions: shared })

  const single = (
    why: Why,
    entries: (reason: Omit<Entry, 'account' | 'accountId' | 'amount'>) => Movement['entries'],
  ) => {
    const { reason = 'adjust', detail, movement = `${reason}:${randomUUID()}` } = why
    return make({ id: movement, at: at(), entries: entries({ reason, ...(detail === undefined ? {} : { detail }) }) })
  }

  const debitOnly = (amount: number): { least?: number } => (amount < 0 ? { least: 0 } : {})

  return {
    move: (movement) => make({ ...movement, at: at() }),

    adjust: ({ userId, amount, ...why }) =>
      single(why, (reason) =>
        amount === 0 ? [] : [{ ...reason, account: 'user', accountId: userId, amount, ...debitOnly(amount) }],
      ),

    setBalance: ({ userId, balance, ...why }) =>
      single(why, (reason) => async (trx) => {
        const amount = balance - (await lockedBalance(trx, 'user', userId))
        return amount === 0 ? [] : [{ ...reason, account: 'user', accountId: userId, amount }]
      }),

    adjustToken: ({ tokenId, amount, ...why }) =>
      single(why, (reason) =>
        amount === 0 ? [] : [{ ...reason, account: 'token', accountId: tokenId, amount, ...debitOnly(amount) }],
      ),

    setTokenRemain: ({ tokenId, remain, ...why }) =>
      single(why, (reason) => async (trx) => {
        const amount = remain - (await lockedBalance(trx, 'token', tokenId))
        return amount === 0 ? [] : [{ ...reason, account: 'token', accountId: tokenId, amount }]
      }),

    async moveToken({ tokenId, begin, detail }) {
      // What was charged before is the token's; only calls that are under way are charged to it afterwards.
      await parts.applied?.()
      let made = 0
      const entries = async (trx: Transaction<Tables>): Promise<Entry[]> => {
        const left = await lockedBalance(trx, 'token', tokenId)
        made = await begin(trx)
        if (left === 0) return []
        const common = { account: 'token', reason: 'transfer', ...(detail && { detail }) } as const
        return [
          { ...common, accountId: tokenId, amount: -left },
          { ...common, accountId: made, amount: left },
        ]
      }
      await make({ id: `move:token:${tokenId}`, at: at(), entries })
      if (made === 0) throw new AppError('not_found')
      return made
    },

    async open(trx, account, id, amount, detail) {
      if (amount === 0) return
      const entry: Entry = {
        account,
        accountId: id,
        amount,
        reason: 'opening',
        ...(detail === undefined ? {} : { detail }),
      }
      await makeMovement(database, trx, { id: `opening:${account}:${id}`, at: at(), entries: [entry] })
    },

    async earn(trx, { movement, userId, amount, detail = {} }) {
      if (amount === 0) return
      const entry: Entry = { account: 'aff', accountId: userId, amount, reason: 'grant', detail }
      await makeMovement(database, trx, { id: movement, at: at(), entries: [entry] })
    },

    refund: (refund) => make({ id: refund.movement, at: at(), entries: (trx) => refundEntries(trx, refund) }),

    correct: (batch) =>
      queue.run(() =>
        correctOnce(batch).catch((error: unknown) => {
          if (!isUniqueViolation(error)) throw error
          return correctOnce(batch)
        }),
      ),

    refreshToken: (tokenId) => accounts.refresh('token', tokenId),

    refreshCap: (account) => accounts.refresh('cap', account),
  }
}

/** The accounts that holds know: pending earnings are kept in nobody's memory. */
const namesOf = (entries: readonly Entry[]): AccountName[] =>
  entries.flatMap(({ account, accountId }) => (account === 'aff' ? [] : { account, id: accountId }))

/** The balance, locked until the transaction ends: an update that changes nothing locks its row. */
const lockedBalance = async (trx: Transaction<Tables>, account: 'user' | 'token', id: number): Promise<number> => {
  const on = writable(trx)
  if (account === 'user') {
    await on.updateTable('users').set({ quota: sql`quota + 0` }).where('id', '=', id).execute()
    const row = await on.selectFrom('users').select('quota').where('id', '=', id).executeTakeFirst()
    if (row === undefined) throw new AppError('user_not_found')
    return row.quota
  }
  await on.updateTable('tokens').set({ remain_quota: sql`remain_quota + 0` }).where('id', '=', id).execute()
  const row = await on.selectFrom('tokens').select('remain_quota').where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw new AppError('not_found')
  return row.remain_quota
}
