import type { Kysely } from 'kysely'
import { createTable } from '../../tables.ts'

// Steps of a few lines each; their numbers and their order are in `migrations/index.ts`.

/** How far sinks are that usage is sent to. */
export const usageSinks = {
  up: (on: Kysely<unknown>): Promise<void> =>
    createTable(on, 'usage_sinks', {
      columns: {
        name: 'key',
        cursor_id: 'whole',
        sent: 'count',
        sent_time: 'count',
        failures: 'count',
        error: 'text',
        retry_time: 'count',
      },
      primaryKey: 'name',
    }),
}

/** Processes that serve from this database, so that those which do not share their holds notice each other. */
export const signsOfLife = {
  async up(on: Kysely<unknown>): Promise<void> {
    await createTable(on, 'signs_of_life', {
      columns: { process: 'key', node: 'text', store: 'key', started_time: 'whole', last_time: 'whole' },
      primaryKey: 'process',
    })
  },
}

/** How the last backups ended that the server wrote, or found beside its own. */
export const backupRuns = {
  async up(on: Kysely<unknown>): Promise<void> {
    await createTable(on, 'backup_runs', {
      columns: { id: 'id', outcome: 'key', time: 'whole', place: 'text', detail: 'text' },
      indexes: [['outcome', 'time']],
    })
  },
}
