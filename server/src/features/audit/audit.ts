import type { Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'
import type { Trace } from '../../db/trace.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import { differences } from './differences.ts'

export interface Audit {
  /** Inside `trx` when given, so that the change and its trace come together. */
  record(entry: Trace, trx?: Transaction<Tables>): Promise<void>
}

/** The audit log of changes: stores only fields that differ, and never secrets. */
export const openAudit = (database: Database, clock: Clock): Audit => ({
  record: async (entry, trx) => {
    const changed = differences(entry.before, entry.after)
    await (trx ?? database.query)
      .insertInto('audit')
      .values({
        created_at: unixSeconds(clock),
        actor_id: entry.actor.id,
        actor_name: entry.actor.username,
        action: entry.action,
        object: entry.object,
        object_id: String(entry.objectId),
        before: JSON.stringify(changed.before),
        after: JSON.stringify(changed.after),
        ip: entry.ip,
      })
      .execute()
  },
})
