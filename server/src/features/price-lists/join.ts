import { ownMember } from '@tollgate/contract/own-member'
import type { ChannelPicture, Preview } from '../../app/noun-types.ts'
import type { FeatureKit } from '../../app/parts.ts'
import { version } from '../../config/version.ts'
import { every } from '../../jobs/every.ts'
import { openNamedJobs } from '../../jobs/named-jobs.ts'
import { ask } from '../../relay/upstream/ask.ts'
import { openComparison } from './comparison.ts'
import { priceListRoutes } from './routes.ts'
import { openPriceSchedule } from './schedule.ts'

const readTimeoutMs = 30_000
const mostBytes = 16 * 1024 * 1024
const lookEveryMs = 60_000

export interface PriceListNeeds {
  readonly channels: { snapshot(): ChannelPicture }
  readonly preview: Preview
  /** True where an option or a list has a price for the model. */
  isPriced(model: string): boolean
}

/** Joins the price lists of the settings, and what compares them on a schedule. Returns the function that stops it. */
export const joinPriceLists = (kit: FeatureKit, { channels, preview, isPriced }: PriceListNeeds): (() => void) => {
  const { config, clock, database, log, options, operatorEgress, priceLists, priceOptions, upstream, on } = kit
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
  priceListRoutes(on, {
    lists: priceLists,
    comparison,
    clock,
    names,
    isOverridden: (model) => {
      const { ModelPrice, ModelRatio } = priceOptions()
      return ownMember(ModelPrice, model) !== undefined || ownMember(ModelRatio, model) !== undefined
    },
    isPriced: (model) => isPriced(channels.snapshot().pricedAs(model)),
    preview: (list) => preview([], list),
  })
  if (config.isSlave) return () => {}
  const schedule = openPriceSchedule({
    lists: priceLists,
    comparison,
    jobs: openNamedJobs(database, clock),
    settings: options.snapshot,
    clock,
    names,
    warn: log.warn,
  })
  const stopLooking = every(lookEveryMs, schedule.look, (error) => log.warn('price_sync_failed', { error }))
  return () => {
    stopLooking()
    void schedule.stop()
  }
}
