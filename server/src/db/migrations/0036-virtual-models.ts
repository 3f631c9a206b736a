import type { Kysely } from 'kysely'
import { createTable } from '../tables.ts'

/** Names that stand for lists of models and channels. */
export const virtualModels = {
  up: (on: Kysely<unknown>): Promise<void> =>
    createTable(on, 'virtual_models', {
      columns: { id: 'id', name: 'key', spec: 'text', changed_time: 'whole' },
      unique: [['name']],
    }),
}
