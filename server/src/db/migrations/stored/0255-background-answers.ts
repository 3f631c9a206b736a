import type { Kysely } from 'kysely'
import { createTable } from '../../tables.ts'

/** Responses that are to be made in the background: a row until each is over. */
export const backgroundAnswers = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await createTable(on, 'background_answers', {
      columns: {
        id: 'id',
        response_id: 'key',
        user_id: 'whole',
        token_id: 'whole',
        state: 'key',
        due_time: 'whole',
        attempts: 'count',
        error: 'text?',
        created_time: 'whole',
        request_cipher: 'text',
      },
      unique: [['response_id']],
      indexes: [['due_time'], ['user_id']],
    })
  },
}
