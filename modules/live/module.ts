import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** All nodes at this moment and over their last hour, with the channels and errors that need a look. */
export const module = {
  areas: [['/api/live', 'logs']],
  logEvents: {},
  errors: {},
} as const satisfies ModuleData
