import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** Pages of the chat clients that operators link to: each opens with the site's address and a key of the user. */
export const module = { areas: [], errors: {}, logEvents: {} } as const satisfies ModuleData
