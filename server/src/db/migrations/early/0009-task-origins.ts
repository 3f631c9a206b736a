import type { Kysely } from 'kysely'
import { addColumns, createIndex } from '../../tables.ts'

/** Which call began a task, by whose key, and with which key of the channel: what is needed to pay it back and to ask after it. */
export const taskOrigins = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    for (const table of ['midjourneys', 'tasks']) {
      await addColumns(on, table, { request_id: 'key?', key_hash: 'key?' })
      await createIndex(on, table, ['request_id'], { unique: true })
    }
  },
}
