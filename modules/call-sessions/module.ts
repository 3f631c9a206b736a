import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** Sessions of clients: their calls, their cost, and the part that caches served. */
export const module = {
  areas: [['/api/sessions', 'logs']],
  ownAreas: [['/api/sessions', 'own_logs']],
  openTables: ['sessions'],
  logEvents: {},
  errors: {},
} as const satisfies ModuleData
