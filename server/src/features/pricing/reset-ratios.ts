import { createPriceBook } from '../../billing/prices.ts'
import { modelRatios2025 } from '../../billing/tables/model-ratios.ts'
import { type PriceOptions, priceSettings } from './price-options.ts'

/**
 * The model ratios after a reset. Where price lists count they price the models, otherwise the ratios that are built in are the operator's, as
 * after an upgrade. A model that nothing else prices keeps its ratio, so that it can be called as before.
 */
export const ratiosAfterReset = (values: PriceOptions): Readonly<Record<string, number>> => {
  const builtIn: Readonly<Record<string, number>> = values.PriceListsEnabled ? {} : modelRatios2025
  const book = createPriceBook(priceSettings({ ...values, ModelRatio: builtIn }))
  const isPriced = (model: string): boolean => book.of(model, 'default', { acceptsUnpriced: false }) !== undefined
  const kept = Object.entries(values.ModelRatio).filter(([model]) => !Object.hasOwn(builtIn, model) && !isPriced(model))
  return { ...builtIn, ...Object.fromEntries(kept) }
}
