import { call } from '#web/lib/api/api.ts'
import { isStaffNow } from '#web/lib/api/staff.ts'
import { listFor } from './list-for.ts'

/** True if the list of this page has anything for its reader. */
export const hasRows = async (): Promise<boolean> =>
  (await call(listFor(isStaffNow('logs')), { query: { page_size: 1 } })).items.length > 0
