import type { Receipt } from '@tollgate/contract'
import { recompute } from '../../../billing/cost.ts'
import { decimal, multiply } from '../../../billing/decimal.ts'
import { priceInTier } from '../../../billing/overrides/tier-rates.ts'
import type { Price } from '../../../billing/price.ts'
import { ratesFor } from '../../../billing/receipt-lines.ts'
import { promptTokens } from '../../../billing/usage.ts'
import { type LoggedTokens, repricedReceipt, usageOfLines } from './reprice.ts'
import { repricedModels } from './reprice-models.ts'

const millionth = { digits: 1n, scale: 6 } as const

/** A price that was learnt later, with the group's ratio and the currency of the call. */
export const atTermsOf = (receipt: Pick<Receipt, 'group_ratio' | 'quota_per_unit'>, price: Price): Price => {
  const [groupRatio, quotaPerUnit] = [decimal(receipt.group_ratio), decimal(receipt.quota_per_unit)]
  const unit = price.basis === 'dollars' ? multiply(quotaPerUnit, millionth) : price.unit
  return { ...price, groupRatio, quotaPerUnit, unit }
}

/** Receipt part of one model at a price that was learnt later, with the name of the price. */
export const partSince = (part: Receipt, price: Price, tokens: LoggedTokens): Receipt => {
  const { basis: _, context_above: above, price_version: __, ...plain } = part
  // A sum of answers says by it how long their prompts were.
  const rest = part.answers === undefined || above === undefined ? plain : { ...plain, context_above: above }
  return {
    ...repricedReceipt(rest, price, tokens),
    ...(price.basis === 'dollars' ? { basis: 'dollars' as const } : {}),
    ...(price.version === undefined ? {} : { price_version: price.version }),
    ...contextOf(part, price),
  }
}

const contextOf = ({ lines, tier, answers }: Receipt, listed: Price): Pick<Receipt, 'context_above'> => {
  if (answers !== undefined) return {}
  const price = priceInTier(listed, tier?.name)
  if (price.contexts === undefined || price.perCall !== undefined) return {}
  const { above } = ratesFor(price, promptTokens(usageOfLines(lines)))
  return above > 0 ? { context_above: above } : {}
}

/**
 * The receipt at a price of the asked model that was learnt later, on the terms of the call. What other models used within the answer
 * stays as it was charged.
 */
export const receiptSince = (receipt: Receipt, price: Price, tokens: LoggedTokens): Receipt => {
  const { provisional = [], ...rest } = receipt
  const left = provisional.filter(({ kind }) => kind !== 'price')
  const open = left.length === 0 ? rest : { ...rest, provisional: left }
  const next = repricedModels(open, atTermsOf(receipt, price), (part, at) => partSince(part, at, tokens))
  return { ...next, quota: recompute(next) }
}
