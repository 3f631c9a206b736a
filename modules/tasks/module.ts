import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** The log of asynchronous tasks other than drawings, such as songs; the relay writes its rows. */
export const module = {
  areas: [['/api/task', 'logs']],
  ownAreas: [['/api/task', 'own_logs']],
  logEvents: {},
  errors: {},
} as const satisfies ModuleData
