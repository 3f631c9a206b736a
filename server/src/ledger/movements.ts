import { randomUUID } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db/database.ts'
import { isUniqueViolation } from '../db/dialect.ts'
import type { Tables } from '../db/schema.ts'
import { AppError } from '../lib/app-error.ts'
import type { SerialQueue } from '../lib/serial-queue.ts'
import { readBalances } from './balances.ts'
import { capsCharged } from './caps/spend.ts'
import { applyCorrections, type CorrectionBatch, type CorrectionOutcome } from './corrections/apply.ts'
import { type Credit, Debit, holdAll, type Wanted } from './debits.ts'
import { type AccountName, type Accounts, chargedAccounts } from './holds/accounts.ts'
import { isKnown, type Movement, makeMovement, type Sides } from './move.ts'
import { type Refund, refundEntries } from './refund.ts'
import { writable } from './tables.ts'

export interface MovementsParts {
  readonly database: Database
  readonly queue: SerialQueue
  readonly accounts: Accounts
  readonly shared: boolean
  /** True if hourly figures are collected (option DataExportEnabled). */
  hourly(): boolean
  readonly now: () => number
  /** Resolves when what was charged so far is in the database. */
  applied?(): Promise<void>
}

type Detail = Readonly<Record<string, unknown>>

interface Why {
  /** Idempotency key of the movement; a random one when absent. */
  readonly movement?: string
  readonly reason?: Credit['reason']
  readonly detail?: Detail
}

/** A movement as its caller describes it. */
export interface Transfer {
  /** Idempotency key: a repeat changes nothing, whatever its amounts are. */
  readonly id: string
  /** Debits: each is held first, like the cost of a call, so that only free quota leaves. None if absent. */
  readonly takes?: readonly Wanted[]
  /** Credits; a function is called inside the transaction, after `guard`. */
  readonly gives: readonly Credit[] | ((trx: Transaction<Tables>) => Promise<readonly Credit[]>)
  /** Runs first, in the same transaction; throws to refuse the movement, e.g. because a code is used already. */
  readonly guard?: Movement['guard']
}

/** Every change of a balance that is not a charge. */
export interface Movements {
  /**
   * Makes a movement; false when it had been made before. Throws `balance_too_small` where less is available than it takes (neither
   * holds nor pending charges can leave); `balance_too_large` where a balance would exceed 2^53−1; `not_found`.
   */
  move(transfer: Transfer): Promise<boolean>
  /** Credits or debits a user; throws as `move`. */
  adjust(change: Why & { userId: number; amount: number }): Promise<boolean>
  /**
   * Sets a user's booked balance. Running calls continue and are charged afterwards, so it may become negative by their cost. Concurrent
   * charges are counted once.
   */
  setBalance(change: Why & { userId: number; balance: number }): Promise<boolean>
  adjustToken(change: Why & { tokenId: number; amount: number }): Promise<boolean>
  setTokenRemain(change: Why & { tokenId: number; remain: number }): Promise<boolean>
  /**
   * Moves the available quota of a token (all of an unlimited one, and its debt) to one that `begin` creates in the same transaction;
   * returns its id. A token moves once.
   */
  moveToken(change: {
    tokenId: number
    detail?: Detail
    begin: (trx: Transaction<Tables>) => Promise<number>
  }): Promise<number>
  /**
   * Opening balance of a user or token, in the transaction that creates its row with quota 0. Its balance cannot have been read before,
   * so it needs no queue.
   */
  open(
    trx: Transaction<Tables>,
    of: { readonly account: 'user' | 'token'; readonly id: number },
    amount: number,
    detail?: Detail,
  ): Promise<void>
  /** Pending earnings of a user, in the transaction of their cause, e.g. an invitation. These accounts are never cached, so they need no queue. */
  earn(
    trx: Transaction<Tables>,
    earning: { movement: string; userId: number; amount: number; detail?: Detail },
  ): Promise<void>
  /** Refunds a charge to the user and token that paid it; false when it was refunded before, or nothing is due. */
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

  const attempt = async (movement: Movement, debits: readonly Debit[]): Promise<boolean> => {
    let names: AccountName[] = []
    let isMade = false
    try {
      const balances = await database.transaction(async (trx) => {
        const entries = await makeMovement(database, trx, movement)
        isMade = entries.length > 0
        names = namesOf(entries)
        return readBalances(trx, names, { versions: shared })
      })
      // The debits and their holds leave in one step.
      if (isMade) await accounts.committed(debits, balances)
      return isMade
    } catch (error) {
      // The connection may have broken after the commit.
      await accounts.doubt(names)
      throw error
    }
  }

  /** Commits the movement. Another node may commit the same one concurrently, which a second look finds. Releases its holds. */
  const make = async (movement: Movement, debits: readonly Debit[] = []): Promise<boolean> => {
    try {
      return await queue.run(() =>
        attempt(movement, debits).catch((error: unknown) => {
          if (!isUniqueViolation(error)) throw error
          return attempt(movement, debits)
        }),
      )
    } finally {
      // Harmless where it was committed.
      for (const { hold } of debits) hold?.release()
    }
  }

  const held = async (id: string, wanted: readonly Wanted[]): Promise<readonly Debit[] | undefined> => {
    try {
      return await holdAll(parts, wanted)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'balance_too_small') throw error
      // A repeated movement needs no holds.
      if (await queue.run(() => isKnown(database.query, id))) return undefined
      for (const { account, accountId: id } of wanted) {
        if (account === 'aff') continue
        const [found] = await readBalances(database.query, [{ account, id }], { versions: false })
        if (found === undefined) throw new AppError('not_found', { details: { account, id } })
      }
      throw error
    }
  }

  const move = async ({ id, takes = [], gives, guard }: Transfer): Promise<boolean> => {
    const movement = { id, at: at(), ...(guard && { guard }) }
    const debits = await held(id, takes)
    if (debits === undefined) return false
    const entries = async (trx: Transaction<Tables>): Promise<Sides> => [
      ...debits,
      ...(typeof gives === 'function' ? await gives(trx) : gives),
    ]
    return make({ ...movement, entries }, debits)
  }

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

  const single = (why: Why) => {
    const { reason = 'adjust', detail, movement = `${reason}:${randomUUID()}` } = why
    return { id: movement, common: { reason, ...(detail === undefined ? {} : { detail }) } }
  }

  /** Credits where the amount is positive, debits where it is negative. */
  const adjust = ({ account, accountId, amount, ...why }: Why & Omit<Wanted, 'reason'>): Promise<boolean> => {
    const { id, common } = single(why)
    const change = { ...common, account, accountId, amount: Math.abs(amount) }
    if (amount < 0) return move({ id, takes: [change], gives: [] })
    return move({ id, gives: amount === 0 ? [] : [change] })
  }

  const setTo = (account: 'user' | 'token', accountId: number, { to, ...why }: Why & { to: number }) => {
    const { id, common } = single(why)
    const entries = async (trx: Transaction<Tables>): Promise<Sides> => {
      const amount = to - (await lockedBalance(trx, account, accountId))
      if (amount === 0) return []
      const change = { ...common, account, accountId, amount: Math.abs(amount) }
      return [amount < 0 ? Debit.byOrder(change) : change]
    }
    return make({ id, at: at(), entries })
  }

  return {
    move,

    adjust: ({ userId, ...change }) => adjust({ ...change, account: 'user', accountId: userId }),

    setBalance: ({ userId, balance, ...why }) => setTo('user', userId, { ...why, to: balance }),

    adjustToken: ({ tokenId, ...change }) => adjust({ ...change, account: 'token', accountId: tokenId }),

    setTokenRemain: ({ tokenId, remain, ...why }) => setTo('token', tokenId, { ...why, to: remain }),

    async moveToken({ tokenId, begin, detail }) {
      // Earlier charges belong to the old token; running calls are charged to it afterwards.
      await parts.applied?.()
      const time = at()
      const from = { account: 'token', accountId: tokenId, reason: 'transfer', ...(detail && { detail }) } as const
      const debit = (await isUnlimited(database.query, tokenId)) ? undefined : await Debit.ofRest(parts, from)
      let made = 0
      const entries = async (trx: Transaction<Tables>): Promise<Sides> => {
        const left = await lockedBalance(trx, 'token', tokenId)
        const unlimited = await isUnlimited(trx, tokenId)
        made = await begin(trx)
        const to = { ...from, accountId: made }
        if (left < 0) return [{ ...from, amount: 0 - left }, Debit.owed({ ...to, amount: 0 - left })]
        // Nothing can be held of a token without a limit: what it has is only a figure.
        const rest = unlimited ? Debit.byOrder({ ...from, amount: left }) : debit
        return rest === undefined || rest.taken === 0 ? [] : [rest, { ...to, amount: rest.taken }]
      }
      await make({ id: `move:token:${tokenId}`, at: time, entries }, debit ? [debit] : [])
      if (made === 0) throw new AppError('not_found')
      return made
    },

    async open(trx, { account, id }, amount, detail) {
      if (amount === 0) return
      const entry: Credit = {
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
      const entry: Credit = { account: 'aff', accountId: userId, amount, reason: 'grant', detail }
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

/** The accounts that holds cover; pending earnings are never cached. */
const namesOf = (entries: readonly Pick<Credit, 'account' | 'accountId'>[]): AccountName[] =>
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

const isUnlimited = async (on: Kysely<Tables>, id: number): Promise<boolean> => {
  const row = await on.selectFrom('tokens').select('unlimited_quota').where('id', '=', id).executeTakeFirst()
  return row?.unlimited_quota === 1
}
