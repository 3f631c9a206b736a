import type { ModuleRights } from '#server-test/rights/module-rights.ts'

const own = ['GET /api/sessions/self', 'GET /api/sessions/self/sums', 'GET /api/sessions/self/guard']

export const rights: ModuleRights = {
  kinds: { own, site: ['GET /api/sessions/', 'GET /api/sessions/sums', 'GET /api/sessions/guard'] },
  empty: own,
}
