import { type PricingItem, quotaType } from '../../lib/api/contract.ts'
import { decimal, printDecimal } from '../../lib/decimal.ts'
import { formatInteger } from '../../lib/text/format.ts'

/** The size of one call, and how many there are in a day. */
export interface CallSize {
  readonly prompt: number
  readonly cached: number
  readonly completion: number
  readonly calls: number
}

const ratio = (value: number): string => printDecimal(decimal(value), 0, 10)

/**
 * The charge of one call as people would reckon it by hand, before it is rounded to whole units: in dollars, or in quota
 * where the site shows no currency.
 */
export const formulaText = (
  item: PricingItem,
  size: Pick<CallSize, 'prompt' | 'cached' | 'completion'>,
  group: { ratio: number; quotaPerUnit: number; currency: boolean },
): string => {
  const perUnit = formatInteger(group.quotaPerUnit)
  if (item.quota_type === quotaType.call) {
    const price = ratio(item.model_price)
    return group.currency ? `$${price} × ${ratio(group.ratio)}` : `${price} × ${perUnit} × ${ratio(group.ratio)}`
  }
  const parts = [
    [size.prompt - size.cached, 1],
    [size.cached, item.cache_ratio],
    [size.completion, item.completion_ratio],
  ] as const
  const tokens = parts
    .filter(([count]) => count > 0)
    .map(([count, price]) => (price === 1 ? formatInteger(count) : `${formatInteger(count)} × ${ratio(price)}`))
  const quota = `(${tokens.length === 0 ? '0' : tokens.join(' + ')}) × ${ratio(item.model_ratio)} × ${ratio(group.ratio)}`
  return group.currency ? `${quota} ÷ ${perUnit}` : quota
}
