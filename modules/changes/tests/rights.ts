import type { ModuleRights } from '#server-test/rights/module-rights.ts'

const own = ['GET /api/changes/self', 'GET /api/changes/self/call', 'GET /api/changes/self/session']

export const rights: ModuleRights = {
  kinds: { own, site: ['GET /api/changes', 'GET /api/changes/call', 'GET /api/changes/session'] },
  empty: own,
}
