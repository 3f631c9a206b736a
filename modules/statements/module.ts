import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** Monthly statements of a user's balance and of the whole site, to print or to send. */
export const module = {
  areas: [['/api/statement', 'billing']],
  ownAreas: [['/api/statement', 'own_wallet']],
  logEvents: {},
  errors: {},
} as const satisfies ModuleData
