import type { ModuleRights } from '#server-test/rights/module-rights.ts'

export const rights: ModuleRights = {
  kinds: { own: ['GET /api/changes/self'], site: ['GET /api/changes'] },
  empty: ['GET /api/changes/self'],
}
