import type { LedgerEntriesTable } from '../db/schema.ts'
import { AppError } from '../lib/app-error.ts'
import type { Hold, HoldAnswer } from '../relay/ports.ts'
import type { AccountName, Accounts } from './holds/accounts.ts'

/** Credit to an account. */
export interface Credit {
  readonly account: LedgerEntriesTable['account']
  readonly accountId: number
  /** Quota units, ≥ 0: what is taken from an account is a `Debit`. */
  readonly amount: number
  readonly reason: LedgerEntriesTable['reason']
  /** Actor and reason; becomes the entry's `detail`. */
  readonly detail?: Readonly<Record<string, unknown>>
}

/** Debit that a movement asks for: the shape of a credit, whose amount is taken instead of given. */
export type Wanted = Credit & { readonly account: 'user' | 'token' | 'aff' }

/**
 * Time at which the hold of a movement was requested (ms since 1970) and the milliseconds until it was granted. Stored in the entry's
 * detail, where verification finds the calls that held quota at that time.
 */
interface HeldFor {
  readonly at: number
  readonly ms: number
}

/** Holds of amounts. */
export interface Reserving {
  readonly accounts: Pick<Accounts, 'reserve'>
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/**
 * An amount that a movement takes from an account. Only the functions of this file create one, so every amount was held like that of a
 * call, or its factory states why no hold is needed.
 */
export class Debit {
  /** Positive quota units. */
  readonly taken: number
  readonly from: Omit<Wanted, 'amount'>
  /** The row of the account may not end below zero. */
  readonly covered: boolean
  readonly hold: Hold | undefined
  readonly held: HeldFor | undefined

  private constructor(
    from: Omit<Wanted, 'amount'>,
    taken: number,
    more: { covered: boolean; hold?: Hold; held?: HeldFor },
  ) {
    if (!Number.isSafeInteger(taken) || taken < 0)
      throw new AppError('invalid_parameter', { details: { quota: 0 - taken } })
    this.from = from
    this.taken = taken
    this.covered = more.covered
    this.hold = more.hold
    this.held = more.held
  }

  /** Holds the amount in the store that calls use. Throws `balance_too_small` where less is available. */
  static async held({ accounts, now }: Reserving, { amount, ...from }: Wanted): Promise<Debit> {
    const { account, accountId: id } = from
    // Calls are never charged to pending earnings: the row, which the transaction locks, is complete.
    if (account === 'aff') return new Debit(from, amount, { covered: true })
    const name: AccountName = { account, id }
    const asked = now()
    const answer = await accounts.reserve(name, amount)
    if (answer.kind === 'held') {
      const held = { at: asked, ms: now() - asked }
      return new Debit(from, amount, { covered: true, hold: answer.hold, held })
    }
    throw new AppError('balance_too_small', { details: { ...name, balance: answer.remain } })
  }

  /** Holds everything available of an account; undefined where nothing is. */
  static async ofRest(
    { accounts, now }: Reserving,
    from: Omit<Wanted, 'amount' | 'account'> & { readonly account: 'user' | 'token' },
  ): Promise<Debit | undefined> {
    const name: AccountName = { account: from.account, id: from.accountId }
    let amount = Number.MAX_SAFE_INTEGER
    for (let attempt = 1; amount > 0; attempt += 1) {
      const asked = now()
      const answer: HoldAnswer = await accounts.reserve(name, amount)
      if (answer.kind === 'held') {
        const held = { at: asked, ms: now() - asked }
        return new Debit(from, amount, { covered: true, hold: answer.hold, held })
      }
      // Calls may have taken some since the answer. After several attempts half of the rest is enough.
      amount = Math.min(amount - 1, attempt < mostAttempts ? answer.remain : Math.floor(answer.remain / 2))
    }
    return undefined
  }

  /**
   * Reduction by an operator or owner who sets a balance. It is no payment: the amount goes to no account, and running calls are charged
   * to the rest, which may become negative by their cost.
   */
  static byOrder({ amount, ...from }: Wanted): Debit {
    return new Debit(from, amount, { covered: false })
  }

  /** Opening debt of a new account that continues one with a debt. */
  static owed({ amount, ...from }: Wanted): Debit {
    return new Debit(from, amount, { covered: false })
  }
}

const mostAttempts = 16

/** Holds every amount or none. Throws as `Debit.held`. */
export const holdAll = async (reserving: Reserving, wanted: readonly Wanted[]): Promise<readonly Debit[]> => {
  const debits: Debit[] = []
  try {
    for (const one of wanted) if (one.amount !== 0) debits.push(await Debit.held(reserving, one))
    return debits
  } catch (error) {
    for (const { hold } of debits) hold?.release()
    throw error
  }
}
