import type { Kysely } from 'kysely'
import { createTable } from '../../tables.ts'

/** Batches that direct calls make, which are charged when they are over, and the lines of their inputs. */
export const directBatches = {
  async up(on: Kysely<unknown>): Promise<void> {
    await createTable(on, 'direct_batches', {
      columns: {
        id: 'id',
        movement: 'key',
        kind: 'key',
        collection: 'key',
        object_id: 'key',
        channel_id: 'whole',
        key_hash: 'key',
        user_id: 'whole',
        token_id: 'whole',
        project_id: 'whole',
        member_id: 'whole',
        owner: 'text',
        address: 'text',
        inputs: 'text',
        files: 'text',
        result_file: 'key',
        held: 'whole',
        holder: 'key',
        holder_until: 'whole',
        state: 'key',
        created_time: 'whole',
        next_time: 'whole',
        attempts: 'whole',
      },
      unique: [['movement']],
      indexes: [['object_id'], ['result_file'], ['state', 'next_time'], ['state', 'holder_until']],
    })
    await createTable(on, 'batch_inputs', {
      columns: {
        id_hash: 'key',
        file_id: 'key',
        channel_id: 'whole',
        key_hash: 'key',
        inputs: 'text',
        expires_time: 'whole',
      },
      primaryKey: 'id_hash',
      indexes: [['file_id'], ['expires_time']],
    })
  },
}
