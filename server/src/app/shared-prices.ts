import { openShippedLists } from '../billing/book/prepared-lists.ts'
import { openLiveDeclarations } from '../features/declared-usage/live.ts'
import { relayOptions } from '../features/options/relay-options.ts'
import { taskOptions } from '../features/options/snapshot.ts'
import { openPriceLists } from '../features/price-lists/price-lists.ts'
import { costsOf, pricesOf } from '../features/pricing/current-prices.ts'
import { currentPriceOptions } from '../features/pricing/price-options.ts'
import { readPerVersion } from '../relay/plan/source-version.ts'
import type { SharedParts } from './parts.ts'

type Sources = Pick<SharedParts, 'config' | 'log' | 'clock' | 'database' | 'bus' | 'audit' | 'options' | 'sources'>

type Prices = Pick<
  SharedParts,
  'prices' | 'costs' | 'priceOptions' | 'priceLists' | 'declarations' | 'relayOptions' | 'taskOptions' | 'present'
>

/** Opens the lists of prices, and what calls read of them and of options: new when one of their sources changes. */
export const openPrices = async (shared: Sources): Promise<Prices> => {
  const { config, log, clock, database, bus, audit, options, sources } = shared
  const priceLists = await openPriceLists({
    database,
    bus,
    log,
    clock,
    syncFrequencyMs: config.syncFrequencyMs,
    isSlave: config.isSlave,
    audit: audit.record,
    shipped: await openShippedLists(),
    changed: sources.bump,
  })
  const declarations = await openLiveDeclarations({
    database,
    bus,
    log,
    syncFrequencyMs: config.syncFrequencyMs,
    replaced: sources.bump,
  })
  const presentPriceOptions = currentPriceOptions({
    options: options.snapshot,
    list: priceLists.book,
    declared: declarations.present,
  })
  const priceOptions = readPerVersion(sources, presentPriceOptions)
  const presentOptions = relayOptions(options.snapshot)
  return {
    prices: pricesOf(priceOptions),
    costs: costsOf(priceOptions),
    priceOptions,
    priceLists,
    declarations,
    relayOptions: readPerVersion(sources, presentOptions),
    taskOptions: readPerVersion(sources, taskOptions(options.snapshot)),
    present: { options: presentOptions, prices: pricesOf(presentPriceOptions) },
  }
}
