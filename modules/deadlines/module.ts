import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** Calls that say until when they must be done, made in the cheapest way that is in time. */
export const module = {
  areas: [],
  errors: {},
  logEvents: {},
} as const satisfies ModuleData
