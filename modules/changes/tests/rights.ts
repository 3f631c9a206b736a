import type { ModuleRights } from '#server-test/rights/module-rights.ts'

const own = ['GET /api/changes/self', 'GET /api/changes/self/call']

export const rights: ModuleRights = {
  kinds: { own, site: ['GET /api/changes', 'GET /api/changes/call'] },
  empty: own,
}
