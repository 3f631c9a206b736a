import { createPriceBook } from '../../billing/prices.ts'
import { modelRatios2025 } from '../../billing/tables/ratios-2025.ts'
import { type PriceOptions, priceSettings } from './price-options.ts'

/**
 * The model ratios after a reset: none where price lists count, which price the models; the operator has read before which models lose their
 * price. Without lists the ratios that are built in are the operator's, as after an upgrade, and a model that nothing else prices keeps its
 * ratio, so that every model can be called as before.
 */
export const ratiosAfterReset = (values: PriceOptions): Readonly<Record<string, number>> => {
  if (values.PriceListsEnabled) return {}
  const builtIn: Readonly<Record<string, number>> = modelRatios2025
  const book = createPriceBook(priceSettings({ ...values, ModelRatio: builtIn }))
  const isPriced = (model: string): boolean => book.of(model, 'default', { acceptsUnpriced: false }) !== undefined
  const kept = Object.entries(values.ModelRatio).filter(([model]) => !Object.hasOwn(builtIn, model) && !isPriced(model))
  return { ...builtIn, ...Object.fromEntries(kept) }
}
