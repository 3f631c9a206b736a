import type { Kysely } from 'kysely'
import { addColumns, createTable } from '../../tables.ts'

/** Videos that keys have begun, which are charged when they are done. */
export const videoJobs = {
  async up(on: Kysely<unknown>): Promise<void> {
    await createTable(on, 'video_jobs', {
      columns: {
        id: 'id',
        public_id: 'key',
        user_id: 'whole',
        token_id: 'whole',
        project_id: 'whole',
        member_id: 'whole',
        owner: 'text',
        provider: 'key',
        channel_id: 'whole',
        key_hash: 'key',
        upstream_id: 'text',
        model: 'key',
        upstream_model: 'key',
        prompt: 'text',
        duration_ms: 'whole',
        size: 'key',
        remixed_from: 'key',
        receipt: 'text',
        cost: 'text',
        held: 'whole',
        holder: 'key',
        holder_until: 'whole',
        state: 'key',
        is_open: 'whole',
        progress: 'whole',
        error_code: 'key',
        error_message: 'text',
        result: 'text',
        created_time: 'whole',
        completed_time: 'whole',
        expires_time: 'whole',
        next_time: 'whole',
        attempts: 'whole',
        is_deleted: 'whole',
      },
      unique: [['public_id']],
      indexes: [
        ['user_id', 'id'],
        ['is_open', 'next_time'],
        ['is_open', 'holder_until'],
      ],
    })
  },
}

/** Looks at providers that their calls have asked for. */
export const videoNudges = {
  up: (on: Kysely<unknown>): Promise<void> => addColumns(on, 'video_jobs', { nudged_time: 'count' }),
}
