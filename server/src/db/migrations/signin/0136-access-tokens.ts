import type { Kysely } from 'kysely'
import { createTable } from '../../tables.ts'

/** Named tokens for the console's API. */
export const accessTokens = {
  up: (on: Kysely<unknown>): Promise<void> =>
    createTable(on, 'access_tokens', {
      columns: {
        id: 'id',
        user_id: 'whole',
        name: 'key',
        token_hash: 'key',
        hint: 'key',
        scopes: 'text',
        created_time: 'whole',
        expires_time: 'whole',
        last_used_time: 'whole',
        last_used_ip: 'key',
      },
      unique: [['token_hash']],
      indexes: [['user_id']],
    }),
}
