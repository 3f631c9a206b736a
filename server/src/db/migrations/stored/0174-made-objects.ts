import type { Kysely } from 'kysely'
import { createTable } from '../../tables.ts'

/** Makers of objects in the accounts of channels, by direct calls. */
export const madeObjects = {
  up: (on: Kysely<unknown>): Promise<void> =>
    createTable(on, 'made_objects', {
      columns: {
        id_hash: 'key',
        name_hash: 'key',
        channel_id: 'whole',
        key_hash: 'key',
        user_id: 'whole',
        project_id: 'whole',
        member_id: 'whole',
        expires_time: 'whole',
      },
      primaryKey: 'id_hash',
      indexes: [['name_hash'], ['expires_time']],
    }),
}
