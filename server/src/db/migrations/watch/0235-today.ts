import type { Kysely } from 'kysely'
import { createIndex, createTable } from '../../tables.ts'

/** Cards of the start page that users hid for some time, and those that the super admin had a notice of. */
export const todayCards = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await createTable(on, 'today_snoozes', {
      columns: {
        id: 'id',
        user_id: 'whole',
        card: 'key',
        until_time: 'whole',
      },
      unique: [['user_id', 'card']],
      indexes: [['until_time']],
    })
    await createTable(on, 'today_notices', {
      columns: { id: 'id', card: 'key', noticed_time: 'whole', last_time: 'whole' },
      unique: [['card']],
    })
  },
}

/** Keys by their end: those that expire soon are found without reading the others. */
export const keyEnds = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await createIndex(on, 'tokens', ['expired_time'], { unique: false })
  },
}
