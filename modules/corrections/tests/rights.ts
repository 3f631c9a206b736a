import { insertReturningId } from '#server/db/dialect.ts'
import type { ModuleRights } from '#server-test/rights/module-rights.ts'
import { now } from '#server-test/rights/people/now.ts'

/** A correction of a price that waits to be applied. */
const giveCorrection: ModuleRights['give'] = async (query, _, userId) => ({
  correctionId: await insertReturningId(query, 'corrections', {
    created_at: now(),
    actor_id: userId,
    actor_name: 'root',
    note: '',
    state: 'ready',
    filter: '{"models":[],"channels":[],"users":[]}',
    from_time: 1,
    to_time: 2,
    changes: '[]',
    price: '{}',
    scan_at: 2,
    scan_id: 0,
    left_out: '{}',
  }),
})

export const rights: ModuleRights = {
  kinds: {
    root: [
      'GET /api/correction/',
      'POST /api/correction/',
      'GET /api/correction/:id',
      'POST /api/correction/:id/apply',
      'POST /api/correction/:id/cancel',
      'GET /api/correction/:id/export',
    ],
  },
  give: giveCorrection,
  bodies: {
    'POST /api/correction/': () => ({
      from: 1,
      to: 2,
      models: ['gpt-4o'],
      changes: [{ key: 'ModelRatio', value: '{}' }],
    }),
  },
  ids: [['/api/correction/', 'correctionId']],
  notOfWallets: { corrections: 'of the site' },
}
