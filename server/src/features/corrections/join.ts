import type { FeatureKit } from '../../app/parts.ts'
import { every } from '../../jobs/every.ts'
import { type Corrections, openCorrections } from './corrections.ts'
import type { CorrectionParts } from './ports.ts'
import { correctionRoutes } from './routes.ts'

const askEveryMs = 15_000

export interface CorrectionSide {
  readonly settle: Corrections['settle']
  /** Begins what is waiting. */
  wake(): void
  /** Ends the work that is under way. */
  close(): Promise<void>
}

/** Joins corrections of prices to the ledger. */
export const joinCorrections = (
  { database, logDatabase, ledger, audit, clock, log, on }: FeatureKit,
  needs: {
    readonly prices: CorrectionParts['prices']
    tokenChanged(id: number): void
    unit(): number
  },
): CorrectionSide => {
  const corrections = openCorrections({
    database,
    logDatabase,
    ledger: ledger.movements,
    prices: needs.prices,
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
  return {
    settle: corrections.settle,
    wake,
    async close() {
      stop()
      await corrections.stop()
    },
  }
}
