import type { Transaction } from 'kysely'
import type { Tables } from '#server/db/schema.ts'
import type { Trace } from '#server/db/trace.ts'

/** The trail of changes. */
export interface AuditTrail {
  record(entry: Trace, trx?: Transaction<Tables>): Promise<void>
}
