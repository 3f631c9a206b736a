import type { Transaction } from 'kysely'
import type { Tables } from '../../db/schema.ts'
import type { Trace } from '../../db/trace.ts'

/** Who calls. */
export interface Actor {
  readonly id: number
  readonly username: string
  readonly ip: string
}

/** The trail of changes. */
export interface AuditTrail {
  record(entry: Trace, trx?: Transaction<Tables>): Promise<void>
}
