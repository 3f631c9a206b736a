import { call } from '#web/lib/api/api.ts'
import { calls } from '#web/lib/api/contract.ts'
import { isStaffNow } from '#web/lib/api/staff.ts'

/** The list of a reader. Both have the same shape; only who may call them differs. */
export const listFor = (isOperator: boolean) =>
  (isOperator ? calls.browseBackground : calls.browseOwnBackground) as typeof calls.browseBackground

/** True if it has anything for its reader. */
export const hasRows = async (): Promise<boolean> =>
  (await call(listFor(isStaffNow('logs')), { query: { page_size: 1 } })).items.length > 0
