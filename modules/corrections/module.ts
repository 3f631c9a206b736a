import { client } from '@tollgate/contract/errors/error-text'
import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** Calls of a time with a wrong price, computed anew, shown by user, and charged anew in the ledger. */
export const module = {
  areas: [['/api/correction', 'billing']],
  smallTables: ['corrections'],
  logEvents: {
    correction_failed: 'The background work of a price correction failed; it goes on where it stopped.',
  },
  errors: {
    correction_not_ready: client(
      409,
      '该更正当前状态不允许此操作',
      'The correction can’t do this in its current state',
    ),
  },
} as const satisfies ModuleData
