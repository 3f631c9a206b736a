import { setTimeout as rest } from 'node:timers/promises'
import type { JoinModule } from '#server/app/modules/module-kit.ts'
import type { PriceSettings } from '#server/billing/price-settings.ts'
import { type PriceOptions, priceSettings } from '#server/features/pricing/price-options.ts'
import { createReadOwnCalls } from './calls/own-calls.ts'
import { openImportStore } from './import-store.ts'
import { createImports } from './imports.ts'
import { openListCost } from './list-cost.ts'
import { createReadOwnUsage } from './own-usage.ts'
import { reportCards } from './report-cards.ts'
import { reconciliationRoutes } from './routes.ts'
import { openSourceStore } from './source-store.ts'
import { createSources } from './sources-service.ts'

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

/** Joins the comparison of providers' reports with the log. */
export const join: JoinModule = (kit) => {
  const { database, logDatabase, secrets, audit, clock, upstream, log, operatorEgress: egress, priceOptions } = kit
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
      upstreamModelOf: (channelId, model) => kit.channels.snapshot().byId(channelId)?.modelMapping.get(model) ?? model,
    }),
    ownCalls: createReadOwnCalls(logDatabase, () => priceOptions().QuotaPerUnit),
    listCostOf: openListCost(settingsOf(priceOptions)),
    audit,
    log,
    clock,
  })
  reconciliationRoutes(kit.on, { sources, imports })
  return {
    siteCards: reportCards(database),
    async close() {
      stop.abort()
      await Promise.race([imports.close(), rest(longestCloseMs, undefined, { ref: false })])
    },
  }
}
