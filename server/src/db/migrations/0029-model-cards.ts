import type { Kysely } from 'kysely'
import { createTable } from '../tables.ts'

/** Operators' descriptions of models. */
export const modelCards = {
  up: (on: Kysely<unknown>): Promise<void> =>
    createTable(on, 'model_cards', {
      columns: { id: 'id', model: 'key', fields: 'text', changed_time: 'whole' },
      unique: [['model']],
    }),
}
