/** What a key, or its owner, may still spend and has spent, in the unit that the operator shows. */
export interface Account {
  readonly remaining: number
  readonly used: number
  /** Unix seconds; 0 for never. */
  readonly accessUntil: number
  /** A key without a limit of its own. */
  readonly unlimited: boolean
}

export type BillingQuestion = 'subscription' | 'usage'

/** What clients take for "no limit". */
const noLimit = 100_000_000

/** Clients print these as they are: without the digits that binary fractions add behind the last true one. */
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
