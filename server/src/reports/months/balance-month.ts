import type { ZonedMonth } from './months.ts'
import type { ChargeSum, MonthSums, MovementSum, Whose } from './sums.ts'

/** A month of a balance, every figure a sum of ledger entries: opening + movements − charges = closing. */
export interface BalanceMonth extends ZonedMonth {
  /** False while the month lasts: the closing balance is the present one. */
  readonly complete: boolean
  /** Quota units. */
  readonly opening: number
  readonly closing: number
  /** Everything but charges. */
  readonly movements: MovementSum[]
  /** By model and, for one user, by key. */
  readonly charges: readonly ChargeSum[]
  /** Charges from before the usage sums began, whose models are not known. */
  readonly earlierCharges: readonly ChargeSum[]
}

/** Reads a month of a user's balance, or of all balances together; `now` in unix seconds. */
export const readBalanceMonth = async (
  { sums, now }: { readonly sums: MonthSums; readonly now: number },
  whose: Whose,
  month: ZonedMonth,
): Promise<BalanceMonth> => {
  const [moved, charged, all, charges] = await Promise.all([
    sums.movedBefore('user', whose, month.from),
    sums.chargedBefore(whose, month.from),
    sums.movements('user', whose, month),
    sums.charges(whose, month),
  ])
  const opening = moved - charged
  const movements = all.filter(({ reason }) => reason !== 'charge')
  const earlierCharges = earlierChargesOf(all)
  const added = movements.reduce((sum, { amount }) => sum + amount, 0)
  const taken = [...charges, ...earlierCharges].reduce((sum, { quota }) => sum + quota, 0)
  return {
    ...month,
    complete: now >= month.to,
    opening,
    closing: opening + added - taken,
    movements,
    charges,
    earlierCharges,
  }
}

const earlierChargesOf = (movements: readonly MovementSum[]): ChargeSum[] =>
  movements
    .filter(({ reason }) => reason === 'charge')
    .map(({ count, amount }) => ({
      model: '',
      tokenId: 0,
      tokenName: '',
      count,
      quota: 0 - amount,
      promptTokens: 0,
      completionTokens: 0,
    }))
