import type { Kysely } from 'kysely'
import { createTable } from '../../tables.ts'

/** Batches that the gateway itself runs, and the texts of their requests and results. */
export const ownBatches = {
  async up(on: Kysely<unknown>): Promise<void> {
    await createTable(on, 'batches', {
      columns: {
        id: 'id',
        object_id: 'key',
        form: 'key',
        runner: 'key',
        state: 'key',
        user_id: 'whole',
        token_id: 'whole',
        project_id: 'whole',
        member_id: 'whole',
        ip: 'key',
        endpoint: 'key',
        model: 'key',
        settings: 'text',
        input_file: 'key',
        output_file: 'key',
        error_file: 'key',
        errors: 'text',
        total: 'whole',
        succeeded: 'whole',
        failed: 'whole',
        skipped: 'whole',
        next_line: 'whole',
        next_offset: 'whole',
        chunks: 'whole',
        created_time: 'whole',
        started_time: 'whole',
        finalizing_time: 'whole',
        cancelling_time: 'whole',
        ended_time: 'whole',
        expires_time: 'whole',
        hidden: 'whole',
        next_time: 'whole',
        attempts: 'whole',
        error: 'text',
      },
      unique: [['object_id']],
      indexes: [
        ['state', 'next_time'],
        ['user_id', 'id'],
      ],
    })
    await createTable(on, 'batch_chunks', {
      columns: {
        id: 'id',
        batch_id: 'whole',
        kind: 'key',
        place: 'whole',
        lines: 'text',
        last_line: 'whole',
        content_cipher: 'text',
      },
      unique: [['batch_id', 'kind', 'place']],
    })
  },
}
