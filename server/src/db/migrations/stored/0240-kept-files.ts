import type { Kysely } from 'kysely'
import { createTable } from '../../tables.ts'

/** Files that keys store at the gateway, and their bytes in encrypted pieces. */
export const keptFiles = {
  async up(on: Kysely<unknown>): Promise<void> {
    await createTable(on, 'kept_files', {
      columns: {
        id: 'key',
        user_id: 'whole',
        token_id: 'whole',
        project_id: 'whole',
        member_id: 'whole',
        filename: 'text',
        purpose: 'key',
        content_type: 'key',
        bytes: 'whole',
        key_cipher: 'text',
        state: 'key',
        order_number: 'whole',
        created_time: 'whole',
        expires_time: 'whole',
      },
      primaryKey: 'id',
      indexes: [['user_id', 'order_number'], ['expires_time']],
    })
    await createTable(on, 'kept_file_pieces', {
      columns: { id: 'id', file_id: 'key', start_byte: 'whole', bytes: 'whole', content: 'text' },
      unique: [['file_id', 'start_byte']],
    })
  },
}
