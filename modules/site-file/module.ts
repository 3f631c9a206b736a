import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** Channels, models, groups, options and prices of a running site as a file: export, plan, apply, drift. */
export const module = { areas: [], logEvents: {}, errors: {} } as const satisfies ModuleData
