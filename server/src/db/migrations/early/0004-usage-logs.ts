import type { Kysely } from 'kysely'
import { createIndex, dropIndex } from '../../tables.ts'

/**
 * Users are looked for by id, because names change hands; what they look for most is one kind of their rows. So the index
 * over names makes room for one over kinds, and a row costs no more to write than before.
 */
export const logIndexes = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await createIndex(on, 'logs', ['user_id', 'type', 'created_at', 'id'], { unique: false })
    await dropIndex(on, 'logs', ['username', 'created_at', 'id'])
  },
}
