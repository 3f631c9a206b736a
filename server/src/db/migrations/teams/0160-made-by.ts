import type { Kysely } from 'kysely'
import { addColumns } from '../../tables.ts'

/** The key that made a task, or a response that its provider stores. Rows that are there have 0: every key of their payer reads them. */
export const madeBy = {
  async up(on: Kysely<unknown>): Promise<void> {
    for (const table of ['midjourneys', 'tasks', 'kept_answers']) await addColumns(on, table, { token_id: 'count' })
  },
}
