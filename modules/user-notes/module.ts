import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** Notes of operators about users. Their paths lie below those of users, whose area they belong to. */
export const module = { areas: [], errors: {}, logEvents: {} } as const satisfies ModuleData
