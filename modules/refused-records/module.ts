import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** Records that the database refused, shown over the log. Storing and retrying them is the ledger's. */
export const module = {
  areas: [['/api/refused-records', 'billing']],
  errors: {},
  logEvents: {},
} as const satisfies ModuleData
