import type { ModuleRights } from '#server-test/rights/module-rights.ts'

const one = 'GET /api/refused-records/:id'

export const rights: ModuleRights = {
  kinds: { site: ['GET /api/refused-records', one, 'POST /api/refused-records/:id/retry'] },
  // The database of the tests refuses nothing.
  needsOutside: [one],
}
