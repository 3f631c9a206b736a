import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** Why the charges of a period differ from the usual ones, in exact parts. */
export const module = {
  areas: [['/api/changes', 'logs']],
  ownAreas: [['/api/changes', 'own_logs']],
  logEvents: {},
  errors: {},
} as const satisfies ModuleData
