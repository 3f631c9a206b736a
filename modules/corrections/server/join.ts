import type { JoinModule } from '#server/app/modules/module-kit.ts'
import { openCorrections } from './corrections.ts'
import { correctionPrices } from './prices/correction-price.ts'
import { correctionRoutes } from './routes.ts'

const everyMs = 15_000

/** Joins corrections of prices to the ledger. */
export const join: JoinModule = (kit) => {
  const { database, logDatabase, ledger, audit, clock, log, on, priceOptions, apiKeys, unit } = kit
  const corrections = openCorrections({
    database,
    logDatabase,
    ledger: ledger.movements,
    prices: correctionPrices(priceOptions, clock),
    audit,
    tokensChanged: (ids) => {
      for (const token of ids) apiKeys.changed({ token })
    },
    unit,
    everyMs,
    failed: (error) => log.warn('correction_failed', { error }),
    clock,
  })
  correctionRoutes(on, { corrections, database, wake: corrections.wake })
  return {
    settling: { settle: corrections.settle, wake: corrections.wake },
    close: corrections.stop,
  }
}
