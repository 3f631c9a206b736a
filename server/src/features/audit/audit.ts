import type { Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import { differences, type Facts } from './differences.ts'

/** Who did what to which object. `before` is absent for something made, `after` for something removed. */
export interface AuditEntry {
  readonly actor: { readonly id: number; readonly username: string }
  /** `<noun>.<verb>`, e.g. `channel.update`. */
  readonly action: string
  readonly object: string
  readonly objectId: number | string
  readonly before?: Facts | undefined
  readonly after?: Facts | undefined
  readonly ip: string
}

export interface Audit {
  /** Inside `trx` when given, so that the change and its trace come together. */
  record(entry: AuditEntry, trx?: Transaction<Tables>): Promise<void>
}

/** The trail of what people changed: only what differs is kept, and never a secret (server reference §12.1). */
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
