import type { Kysely } from 'kysely'
import { createTable } from '../../tables.ts'

/** Processes that serve from this database, so that those which do not share their holds notice each other. */
export const signsOfLife = {
  async up(on: Kysely<unknown>): Promise<void> {
    await createTable(on, 'signs_of_life', {
      columns: { process: 'key', node: 'text', store: 'key', started_time: 'whole', last_time: 'whole' },
      primaryKey: 'process',
    })
  },
}
