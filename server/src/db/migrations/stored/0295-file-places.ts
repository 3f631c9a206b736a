import type { Kysely } from 'kysely'
import { addColumns, createTable } from '../../tables.ts'

/** Places outside of the database for the bytes of files, and what is to be deleted there. */
export const filePlaces = {
  async up(on: Kysely<unknown>): Promise<void> {
    await createTable(on, 'kept_file_places', {
      columns: { id: 'id', address: 'key', mark: 'key', state: 'key', created_time: 'whole' },
      unique: [['address']],
    })
    await addColumns(on, 'kept_files', { place_id: 'count', object_name: 'key?' })
    await createTable(on, 'kept_file_removals', {
      columns: { id: 'id', place_id: 'whole', object_name: 'key', bytes: 'whole', due_time: 'whole' },
      unique: [['object_name']],
      indexes: [['due_time']],
    })
  },
}
