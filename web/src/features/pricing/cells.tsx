import { Hint } from '../../components/display/hint.tsx'
import { StatusBadge } from '../../components/display/status-badge.tsx'
import { type PricingItem, quotaType } from '../../lib/api/contract.ts'
import type { DisplayDecimal } from '../../lib/decimal.ts'
import type { SayPricing } from './messages.ts'
import { type PriceUnit, printPrice, printRatio } from './prices.ts'

/** Warns of a model that has no price. */
export const Unpriced = ({ item, say }: { item: PricingItem; say: SayPricing }) => (
  <StatusBadge
    tone="warn"
    label={say('unpriced')}
    hint={say('unpricedHint', { ratio: printRatio(item.model_ratio) })}
  />
)

/** True if the chosen group serves a model. */
export const Availability = ({ available, say }: { available: boolean; say: SayPricing }) => (
  <StatusBadge
    tone={available ? 'good' : 'neutral'}
    label={say(available ? 'available' : 'unavailable')}
    hint={say(available ? 'availableHint' : 'unavailableHint')}
  />
)

/** How a model is billed, as a word. */
export const typeWord = ({ quota_type }: PricingItem): 'typeCall' | 'typeUsage' =>
  quota_type === quotaType.call ? 'typeCall' : 'typeUsage'

/** A price; its exact figure, if longer than the shown one, appears on hover. */
export const Price = ({ price, unit, text }: { price: DisplayDecimal; unit: PriceUnit; text?: string }) => {
  const exact = printPrice(price, unit, 12)
  const shown = printPrice(price, unit)
  const figure = <span className="num">{text ?? shown}</span>
  return exact === shown ? figure : <Hint label={exact}>{figure}</Hint>
}

/** Stands where there is no price. */
export const nothing = <span className="faint">–</span>
