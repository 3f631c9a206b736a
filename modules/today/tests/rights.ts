import type { ModuleRights } from '#server-test/rights/module-rights.ts'
import '../server/tables.ts'

const [own, snooze] = ['GET /api/today/self', 'PUT /api/today/snooze'] as const

export const rights: ModuleRights = {
  kinds: { site: ['GET /api/today'], own: [own, snooze] },
  empty: [own],
  unaware: [snooze],
  ofUsers: ['today_snoozes'],
}
