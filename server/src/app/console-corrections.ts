import { openCorrections } from '../features/corrections/corrections.ts'
import { correctionRoutes } from '../features/corrections/routes.ts'
import { correctionPrices } from '../features/pricing/correction-price.ts'
import type { On } from '../http/route.ts'
import { every } from '../jobs/every.ts'
import type { SharedParts } from './parts.ts'

const askEveryMs = 15_000

/** Joins corrections of prices to the ledger; answers how to end the work that is under way. */
export const joinCorrections = (
  { database, logDatabase, ledger, priceOptions, audit, clock, log }: SharedParts,
  needs: { tokenChanged(id: number): void; unit(): number },
  on: On,
): (() => Promise<void>) => {
  const corrections = openCorrections({
    database,
    logDatabase,
    ledger: ledger.movements,
    prices: correctionPrices(priceOptions),
    audit,
    tokensChanged: (ids) => {
      for (const id of ids) needs.tokenChanged(id)
    },
    unit: needs.unit,
    clock,
  })
  const failed = (error: unknown): void => log.warn('correction_failed', { error })
  const stop = every(askEveryMs, corrections.work, failed)
  correctionRoutes(on, { corrections, database, wake: () => void corrections.work().catch(failed) })
  return async () => {
    stop()
    await corrections.stop()
  }
}
