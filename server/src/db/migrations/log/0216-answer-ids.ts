import type { Kysely } from 'kysely'
import { addColumns, createIndex } from '../../tables.ts'

/** The id by which a provider's answer calls itself, where that is not its id of the request. Rows that are there have none. */
export const answerIds = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await addColumns(on, 'logs', { answer_id: 'key?' })
    await createIndex(on, 'logs', ['answer_id', 'created_at', 'id'], { unique: false })
  },
}
