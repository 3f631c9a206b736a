import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** The log of drawing tasks and their pictures; the relay writes its rows. */
export const module = {
  areas: [['/api/mj', 'logs']],
  ownAreas: [['/api/mj', 'own_logs']],
  logEvents: {},
  errors: {},
} as const satisfies ModuleData
