/** Remaining and used amounts of a key or its owner, in the unit that the operator shows. */
export interface Account {
  readonly remaining: number
  readonly used: number
  /** Unix seconds; 0 for never. */
  readonly accessUntil: number
  /** True for a key without a limit of its own. */
  readonly unlimited: boolean
}

export type BillingQuestion = 'subscription' | 'usage'

/** Currency units. Clients of OpenAI's old billing API read this amount as "no limit". */
const noLimit = 100_000_000

/** Rounds to 15 digits, since clients print these numbers with all digits of a binary fraction. */
const plain = (value: number): number => Number(value.toPrecision(15))

/** The answer to OpenAI's old billing calls, which clients still ask to show a balance. */
export const billingAnswer = (question: BillingQuestion, account: Account): unknown => {
  if (question === 'usage') return { object: 'list', total_usage: plain(account.used * 100) }
  const limit = account.unlimited ? noLimit : plain(account.remaining + account.used)
  return {
    object: 'billing_subscription',
    has_payment_method: true,
    soft_limit_usd: limit,
    hard_limit_usd: limit,
    system_hard_limit_usd: limit,
    access_until: account.accessUntil,
  }
}
