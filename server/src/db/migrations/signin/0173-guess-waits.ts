import type { Kysely } from 'kysely'
import { createTable } from '../../tables.ts'

/** Waits after wrong passwords and codes, so that a restart without Redis does not forget them. */
export const guessWaits = {
  async up(on: Kysely<unknown>): Promise<void> {
    await createTable(on, 'guess_waits', {
      columns: {
        name: 'key',
        guessed: 'key',
        count: 'whole',
        blocked_until: 'whole',
        last_time: 'whole',
        kept_until: 'whole',
      },
      primaryKey: 'name',
      indexes: [['guessed', 'kept_until']],
    })
  },
}
