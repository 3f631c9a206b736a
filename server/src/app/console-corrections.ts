import { createPriceBook } from '../billing/prices.ts'
import { openCorrections } from '../features/corrections/corrections.ts'
import { correctionRoutes } from '../features/corrections/routes.ts'
import { openDeclaredUsages } from '../features/declared-usage/declared-usage.ts'
import { declaredUsageRoutes } from '../features/declared-usage/routes.ts'
import type { Notices } from '../features/notices/notices.ts'
import { unknownUsage } from '../features/notices/unknown-usage.ts'
import { correctionPrices } from '../features/pricing/correction-price.ts'
import { priceSettings } from '../features/pricing/price-options.ts'
import type { On } from '../http/route.ts'
import { every } from '../jobs/every.ts'
import type { SharedParts } from './parts.ts'

const askEveryMs = 15_000
const lookEveryMs = 60_000

/** Joins corrections of prices to the ledger; answers how to end the work that is under way. */
export const joinCorrections = (
  { config, database, logDatabase, ledger, priceOptions, declarations, audit, clock, log }: SharedParts,
  needs: {
    tokenChanged(id: number): void
    unit(): number
    notifyRoot: Notices['notifyRoot']
    amountText(quota: number): string
  },
  on: On,
): (() => Promise<void>) => {
  const corrections = openCorrections({
    database,
    logDatabase,
    ledger: ledger.movements,
    prices: correctionPrices(priceOptions, clock),
    audit,
    tokensChanged: (ids) => {
      for (const id of ids) needs.tokenChanged(id)
    },
    unit: needs.unit,
    clock,
  })
  const failed = (error: unknown): void => log.warn('correction_failed', { error })
  const stop = every(askEveryMs, corrections.work, failed)
  const wake = (): void => void corrections.work().catch(failed)
  correctionRoutes(on, { corrections, database, wake })
  const usages = openDeclaredUsages({
    database,
    live: declarations,
    audit,
    settle: corrections.settle,
    tell: (kind) => needs.notifyRoot(unknownUsage(kind, needs.amountText)),
    clock,
    isPriced: (model) => createPriceBook(priceSettings(priceOptions())).isPriced(model),
  })
  declaredUsageRoutes(on, { usages, wake })
  const look = (): Promise<void> => usages.work()
  const stopLooking = config.isSlave
    ? () => undefined
    : every(lookEveryMs, look, (error) => log.warn('declared_usage_failed', { error }))
  return async () => {
    stop()
    stopLooking()
    await corrections.stop()
  }
}
