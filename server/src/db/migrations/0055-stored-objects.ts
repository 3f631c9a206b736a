import type { Kysely } from 'kysely'
import { createTable } from '../tables.ts'

/** Responses, chat completions and conversations that the gateway stores for keys. */
export const storedObjects = {
  up: (on: Kysely<unknown>): Promise<void> =>
    createTable(on, 'stored_objects', {
      columns: {
        id_hash: 'key',
        kind: 'key',
        token_id: 'whole',
        thread_hash: 'key',
        order_number: 'whole',
        expires_time: 'whole',
        content_cipher: 'text',
      },
      primaryKey: 'id_hash',
      indexes: [['token_id', 'kind', 'order_number'], ['thread_hash', 'order_number'], ['expires_time']],
    }),
}
