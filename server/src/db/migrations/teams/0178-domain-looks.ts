import { type Kysely, sql } from 'kysely'
import { addColumns } from '../../tables.ts'

/** When the record that proves a domain was seen last, when it is looked at next, and since when and how often it was missing. */
export const domainLooks = {
  async up(on: Kysely<unknown>): Promise<void> {
    await addColumns(on, 'organisations', {
      domain_seen_time: 'count',
      domain_look_time: 'count',
      domain_missed_time: 'count',
      domain_misses: 'count',
    })
    await sql`update organisations set domain_seen_time = domain_proved_time where domain_seen_time = 0`.execute(on)
  },
}
