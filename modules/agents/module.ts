import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** Settings of coding agents for the site, ready to paste. */
export const module = {
  areas: [],
  ownAreas: [['/api/agents', 'names']],
  logEvents: {},
  errors: {},
} as const satisfies ModuleData
