import { setTimeout as rest } from 'node:timers/promises'
import type { PriceSettings } from '../billing/price-settings.ts'
import type { ChannelPicture } from '../features/channels/snapshot.ts'
import { type PriceOptions, priceSettings } from '../features/pricing/price-options.ts'
import { createReadOwnCalls } from '../features/reconciliation/calls/own-calls.ts'
import { openImportStore } from '../features/reconciliation/import-store.ts'
import { createImports } from '../features/reconciliation/imports.ts'
import { openListCost } from '../features/reconciliation/list-cost.ts'
import { createReadOwnUsage } from '../features/reconciliation/own-usage.ts'
import { reconciliationRoutes } from '../features/reconciliation/routes.ts'
import { openSourceStore } from '../features/reconciliation/source-store.ts'
import { createSources } from '../features/reconciliation/sources-service.ts'
import type { On } from '../http/route.ts'
import type { SharedParts } from './parts.ts'

/** An import that has not ended by then counts as interrupted and can be started again. */
const longestCloseMs = 3_000

/** Providers ask their list prices whether or not the site bills by them. */
const withLists = (values: PriceOptions): PriceSettings => ({
  ...priceSettings(values),
  ...(values.list === undefined ? {} : { list: values.list }),
})

/** Answers the same object until an option changes. */
const settingsOf = (options: () => PriceOptions): (() => PriceSettings) => {
  let made: { readonly values: PriceOptions; readonly settings: PriceSettings } | undefined
  return () => {
    const values = options()
    if (made?.values !== values) made = { values, settings: withLists(values) }
    return made.settings
  }
}

/** Joins the comparison of providers' reports with the log. Returns how to let imports end. */
export const joinReconciliation = (
  shared: SharedParts,
  channels: { snapshot(): ChannelPicture },
  on: On,
): (() => Promise<void>) => {
  const { database, logDatabase, secrets, audit, clock, upstream, log, operatorEgress: egress, priceOptions } = shared
  const stop = new AbortController()
  const store = openImportStore(database)
  const sources = createSources({
    database,
    store: openSourceStore(database),
    imports: store,
    secrets,
    audit,
    egress,
    clock,
  })
  const imports = createImports({
    database,
    sources,
    store,
    ask: { upstream, egress, rest: (ms) => rest(ms, undefined, { signal: stop.signal }) },
    ownUsage: createReadOwnUsage({
      database,
      logs: logDatabase,
      quotaPerUnit: () => priceOptions().QuotaPerUnit,
      upstreamModelOf: (channelId, model) => channels.snapshot().byId(channelId)?.modelMapping.get(model) ?? model,
    }),
    ownCalls: createReadOwnCalls(logDatabase, () => priceOptions().QuotaPerUnit),
    listCostOf: openListCost(settingsOf(priceOptions)),
    audit,
    log,
    clock,
  })
  reconciliationRoutes(on, { sources, imports })
  return async () => {
    stop.abort()
    await Promise.race([imports.close(), rest(longestCloseMs, undefined, { ref: false })])
  }
}
