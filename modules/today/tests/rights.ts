import type { ModuleRights } from '#server-test/rights/module-rights.ts'

export const rights: ModuleRights = {
  kinds: { site: ['GET /api/today'], own: ['GET /api/today/self', 'PUT /api/today/snooze'] },
}
