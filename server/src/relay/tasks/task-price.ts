import type { Receipt } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import { receiptOf } from '../../billing/cost.ts'
import { decimal, multiply } from '../../billing/decimal.ts'
import { declaredKey, type Reason } from '../../billing/declared/declarations.ts'
import type { Price } from '../../billing/price.ts'
import { noUsage, type Usage } from '../../billing/usage.ts'
import type { Caller, Prices } from '../ports.ts'

/** Price of an action without one, in units of currency. */
const fallback = decimal('0.1')

/** Kind of choices among the reasons of provisional charges. */
const versionKind = 'version'

/** The parts of a task that decide its price. */
export interface PricedTask {
  readonly platform: string
  readonly free: boolean
  /** Choices that may have a price of their own; none where absent. */
  readonly choices?: readonly string[] | undefined
}

/** Price of a task, always per call. Throws RangeError for a price beyond the safe integers. */
export const taskPrice = (prices: Prices, model: string, { group }: Pick<Caller, 'group'>): Price | undefined => {
  const price = prices.of(model, group, { acceptsUnpriced: true })
  return price && { ...price, perCall: price.perCall ?? fallback }
}

/** One call; none where the action is free. */
export const taskUsage = ({ free }: Pick<PricedTask, 'free'>): Usage => (free ? noUsage : { ...noUsage, input: 1 })

const reasonOf = (place: string, name: string): Reason => ({ kind: versionKind, place, name, value: name })

/** The price with the operator's declared factors of the task's choices. */
export const priceWithChoices = (price: Price, platform: string, choices: readonly string[]): Price => {
  const { declared, perCall } = price
  if (declared === undefined || perCall === undefined) return price
  const factors = choices.flatMap((name) => {
    const own = ownMember(declared, declaredKey(reasonOf(platform, name)))
    return own?.as === 'factor' ? [decimal(own.factor)] : []
  })
  return factors.length === 0 ? price : { ...price, perCall: multiply(perCall, ...factors) }
}

/**
 * Receipt of one call; none where the action is free. Declared choices have their declared factors; others cost nothing more, since no
 * list prices them, and mark the charge.
 */
export const taskReceipt = (price: Price, { platform, free, choices = [] }: PricedTask): Receipt => {
  if (free || choices.length === 0) return receiptOf(taskUsage({ free }), price, { estimated: false })
  const receipt = receiptOf(taskUsage({ free }), priceWithChoices(price, platform, choices), { estimated: false })
  const reasons = choices
    .map((name) => reasonOf(platform, name))
    .filter((reason) => price.declared === undefined || ownMember(price.declared, declaredKey(reason)) === undefined)
  const provisional = [...(receipt.provisional ?? []), ...reasons]
  return { ...receipt, versions: [...choices], ...(provisional.length === 0 ? {} : { provisional }) }
}
