import { AppError } from '../lib/app-error.ts'
import type { Hold, HoldAnswer } from '../relay/ports.ts'
import type { Credit } from './credit.ts'
import type { AccountName, Accounts } from './holds/accounts.ts'

/** Debit that a movement asks for: the shape of a credit, whose amount is taken instead of given. */
export type Wanted = Credit & { readonly account: 'user' | 'token' | 'aff' }

/**
 * When the hold of a movement was asked for (milliseconds since 1970) and how many milliseconds later it was granted. It becomes a member of
 * the entry's detail, by which verification finds the calls that had something held at that time.
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
 * What a movement takes out of an account. Only the functions of this file make one, so nothing leaves an account before its amount
 * was held like that of a call, or the reason stands here why nothing needs to be held.
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

  /** Holds the amount in the store that calls hold theirs in. Throws `balance_too_small` where less is free. */
  static async held({ accounts, now }: Reserving, { amount, ...from }: Wanted): Promise<Debit> {
    const { account, accountId: id } = from
    // No call is charged to pending earnings: their row, which the transaction locks, says all.
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

  /** Holds all that is free of an account; undefined where nothing is. */
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
      // Calls may have taken something since the answer. Where they always do, a part is better than nothing.
      amount = Math.min(amount - 1, attempt < mostAttempts ? answer.remain : Math.floor(answer.remain / 2))
    }
    return undefined
  }

  /**
   * What an operator or owner takes by saying which balance there shall be. It is an order and no payment: nobody gets what is taken, and
   * calls that are under way are charged to what is left, which may fall below zero by what they cost.
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
