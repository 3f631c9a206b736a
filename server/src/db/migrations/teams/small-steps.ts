import { type Kysely, sql } from 'kysely'
import { addColumns, createTable } from '../../tables.ts'

// Steps of a few lines each; their numbers and their order are in `migrations/index.ts`.

/** Which models an organisation may use, which channels it, its teams and projects may use, and its time zone; null for all, and for UTC. */
export const fences = {
  async up(on: Kysely<unknown>): Promise<void> {
    await addColumns(on, 'organisations', { models: 'text?', channels: 'text?', time_zone: 'key?' })
    await addColumns(on, 'teams', { channels: 'text?' })
    await addColumns(on, 'projects', { channels: 'text?' })
  },
}

/** Operators' notes about users. */
export const userNotes = {
  up: (on: Kysely<unknown>): Promise<void> =>
    createTable(on, 'user_notes', {
      columns: {
        id: 'id',
        user_id: 'whole',
        author_id: 'whole',
        author_name: 'key',
        text: 'text',
        created_time: 'whole',
      },
      indexes: [['user_id']],
    }),
}

/** The key that made a task, or a response that its provider stores. Rows that are there have 0: every key of their payer reads them. */
export const madeBy = {
  async up(on: Kysely<unknown>): Promise<void> {
    for (const table of ['midjourneys', 'tasks', 'kept_answers']) await addColumns(on, table, { token_id: 'count' })
  },
}

/** A domain that an organisation proved by a record of its DNS. */
export const domainProof = {
  async up(on: Kysely<unknown>): Promise<void> {
    await addColumns(on, 'organisations', { domain_proof: 'key?', domain_proved_time: 'count' })
  },
}

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
