import { receiptOf } from '../../billing/cost.ts'
import type { Price } from '../../billing/price.ts'
import { noUsage, type Usage } from '../../billing/usage.ts'

/** In the option ToolPrices: tokens that a provider keeps, by the hour. */
export const storageTool = 'cache_storage'

const hourMs = 3_600_000

/** Usage of storing `tokens` for `lifeMs` milliseconds, in token-hours, rounded up. */
export const storageOf = (tokens: number, lifeMs: number): Usage => {
  const hours = Math.ceil((tokens * Math.max(0, lifeMs)) / hourMs)
  return hours === 0 ? noUsage : { ...noUsage, tools: { [storageTool]: hours } }
}

/** Quota units of storage in the charge for this usage. */
export const storageQuota = (usage: Usage, price: Price): number => {
  const { tools: _, ...rest } = usage
  const all = receiptOf(usage, price, { estimated: false }).quota
  return Math.max(0, all - receiptOf(rest, price, { estimated: false }).quota)
}
