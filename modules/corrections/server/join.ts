import type { JoinModule } from '#server/app/modules/module-kit.ts'
import { every } from '#server/jobs/every.ts'
import { openCorrections } from './corrections.ts'
import { correctionPrices } from './prices/correction-price.ts'
import { correctionRoutes } from './routes.ts'

const askEveryMs = 15_000

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
    clock,
  })
  const failed = (error: unknown): void => log.warn('correction_failed', { error })
  const stop = every(askEveryMs, corrections.work, failed)
  const wake = (): void => void corrections.work().catch(failed)
  correctionRoutes(on, { corrections, database, wake })
  return {
    settling: { settle: corrections.settle, wake },
    async close() {
      stop()
      await corrections.stop()
    },
  }
}
