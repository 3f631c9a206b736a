import type { Kysely } from 'kysely'
import { createTable } from '../../tables.ts'

/** Channels and keys of answers that a provider stores. */
export const keptAnswers = {
  up: (on: Kysely<unknown>): Promise<void> =>
    createTable(on, 'kept_answers', {
      columns: { id_hash: 'key', user_id: 'whole', channel_id: 'whole', key_hash: 'key', created_time: 'whole' },
      primaryKey: 'id_hash',
      indexes: [['created_time']],
    }),
}
