import type { FeatureKit } from '../../app/parts.ts'
import { storageRefundRoutes } from './routes.ts'
import { openStorageRefunds, type StorageRefunds } from './storage-refunds.ts'

/** How often a node looks for refunds that are due. */
const lookForRefundsMs = 5000

/** Joins refunds for cached contents that end before their time. */
export const joinStorageRefunds = (
  kit: FeatureKit,
  needs: { unit(): number; tokenChanged(tokenId: number): void },
): StorageRefunds => {
  const { ledger, log, database, logDatabase, audit, clock, on } = kit
  const refunds = openStorageRefunds({
    database,
    logDatabase,
    clock,
    ...needs,
    movements: ledger.movements,
    flush: ledger.flush,
    lookEveryMs: lookForRefundsMs,
    warn: log.warn,
  })
  storageRefundRoutes(on, { refunds, database, audit: (entry) => audit.record(entry) })
  return refunds
}
