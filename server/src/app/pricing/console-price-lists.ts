import { ownMember } from '@tollgate/contract/own-member'
import { createPriceBook } from '../../billing/prices.ts'
import { openClusterJobs } from '../../db/cluster-jobs.ts'
import type { ChannelPicture } from '../../features/channels/snapshot.ts'
import { openComparison } from '../../features/price-lists/comparison.ts'
import { priceListRoutes } from '../../features/price-lists/routes.ts'
import { openPriceSchedule } from '../../features/price-lists/schedule.ts'
import type { Preview } from '../../features/pricing/preview.ts'
import { priceSettings } from '../../features/pricing/price-options.ts'
import type { On } from '../../http/route.ts'
import { every } from '../../jobs/every.ts'
import { version } from '../../config/version.ts'
import { ask } from '../../relay/upstream/ask.ts'
import type { SharedParts } from '../parts.ts'

const readTimeoutMs = 30_000
const mostBytes = 16 * 1024 * 1024
const lookEveryMs = 60_000

/** Joins the price lists of the settings, and what compares them on a schedule. Returns the function that stops it. */
export const joinPriceLists = (
  shared: SharedParts,
  { channels, preview }: { channels: { snapshot(): ChannelPicture }; preview: Preview },
  on: On,
): (() => void) => {
  const { config, clock, database, log, options, operatorEgress, priceLists, priceOptions, upstream } = shared
  const names = (): readonly string[] => channels.snapshot().models
  const comparison = openComparison({
    lists: priceLists,
    egress: operatorEgress,
    names,
    read: (url) =>
      ask(upstream, {
        url,
        headers: { 'user-agent': `tollgate/${version}` },
        proxy: '',
        timeoutMs: readTimeoutMs,
        maxBytes: mostBytes,
      }),
  })
  let made: { readonly from: unknown; readonly book: ReturnType<typeof createPriceBook> } | undefined
  const book = (): ReturnType<typeof createPriceBook> => {
    const from = priceOptions()
    if (made?.from !== from) made = { from, book: createPriceBook(priceSettings(from)) }
    return made.book
  }
  priceListRoutes(on, {
    lists: priceLists,
    comparison,
    clock,
    names,
    isOverridden: (model) => {
      const { ModelPrice, ModelRatio } = priceOptions()
      return ownMember(ModelPrice, model) !== undefined || ownMember(ModelRatio, model) !== undefined
    },
    isPriced: (model) => book().isPriced(channels.snapshot().pricedAs(model)),
    preview: (list) => preview([], list),
  })
  if (config.isSlave) return () => {}
  const schedule = openPriceSchedule({
    lists: priceLists,
    comparison,
    jobs: openClusterJobs(database, clock),
    settings: options.snapshot,
    clock,
    names,
    warn: log.warn,
  })
  return every(lookEveryMs, schedule, (error) => log.warn('price_sync_failed', { error }))
}
