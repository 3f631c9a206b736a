import type { ModuleRights } from '#server-test/rights/module-rights.ts'
import '../server/tables.ts'

const [own, snooze] = ['GET /api/today/self', 'PUT /api/today/snooze'] as const

export const rights: ModuleRights = {
  kinds: { site: ['GET /api/today'], own: [own, snooze] },
  empty: [own],
  unaware: [snooze],
  untraced: { [snooze]: 'hides a card from its reader for a while' },
  ofUsers: ['today_snoozes'],
}
