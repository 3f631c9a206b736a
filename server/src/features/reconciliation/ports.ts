import type { Transaction } from 'kysely'
import type { Tables } from '../../db/schema.ts'
import type { Trace } from '../../db/trace.ts'

/** The trail of changes. */
export interface AuditTrail {
  record(entry: Trace, trx?: Transaction<Tables>): Promise<void>
}
