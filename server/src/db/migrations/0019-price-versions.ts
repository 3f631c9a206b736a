import type { Kysely } from 'kysely'
import { createTable } from '../tables.ts'

/** Price lists of versions of the product, what was changed in them and when, and how each model's price changed. */
export const priceVersions = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await createTable(on, 'price_lists', {
      columns: { id: 'id', created_at: 'whole', name: 'key', digest: 'key', data: 'text' },
      unique: [['digest']],
    })
    await createTable(on, 'price_versions', {
      columns: {
        id: 'id',
        created_at: 'whole',
        decided_at: 'count',
        effective_from: 'count',
        kind: 'key',
        source: 'text',
        status: 'key',
        list_id: 'count',
        undoes: 'count',
        actor_id: 'count',
        actor_name: 'key',
      },
      indexes: [['status']],
    })
    await createTable(on, 'price_changes', {
      columns: {
        id: 'id',
        version_id: 'whole',
        provider: 'key',
        model: 'key',
        before: 'text',
        after: 'text',
        doubts: 'text',
        decision: 'key',
      },
      indexes: [['version_id']],
    })
  },
}
