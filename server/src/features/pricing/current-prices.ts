import { createPriceBook, type PriceBook } from '../../billing/prices.ts'
import { type ChannelPrices, createChannelPrices } from '../../billing/upstream/channel-prices.ts'
import type { Prices } from '../../relay/ports.ts'
import { type PriceOptions, priceSettings } from './price-options.ts'

/** The price book of the current options and lists, made anew when one of them changes. */
const bookOf = (options: () => PriceOptions): (() => PriceBook) => {
  let built: { values: PriceOptions; book: PriceBook } | undefined
  return () => {
    const values = options()
    if (built?.values !== values) {
      built = { values, book: createPriceBook(priceSettings(values)) }
    }
    return built.book
  }
}

/** Prices of calls by the current options and lists. */
export const pricesOf = (options: () => PriceOptions): Prices => {
  const book = bookOf(options)
  return {
    of: (model, group, more) => book().of(model, group, more),
    until: (model, group) => book().until(model, group),
  }
}

/** Prices of providers, whether or not users pay list prices; made anew when a list or the currency changes. */
export const costsOf = (options: () => PriceOptions): ChannelPrices => {
  let built: { values: PriceOptions; prices: ChannelPrices } | undefined
  const prices = (): ChannelPrices => {
    const values = options()
    if (built?.values !== values) {
      const { list, declared, QuotaPerUnit: quotaPerUnit } = values
      built = { values, prices: createChannelPrices({ list, quotaPerUnit, declared }) }
    }
    return built.prices
  }
  return {
    of: (channel, model, at) => prices().of(channel, model, at),
    spanned: (channel, model, at) => prices().spanned(channel, model, at),
    expected: (channel, model, at) => prices().expected(channel, model, at),
    noteStated: (channel, model, noted) => prices().noteStated(channel, model, noted),
  }
}

/** Answers for a model whether the current options and lists have a price for it. */
export const isPricedBy = (options: () => PriceOptions): ((model: string) => boolean) => {
  const book = bookOf(options)
  return (model) => book().isPriced(model)
}
