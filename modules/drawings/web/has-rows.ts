import { call } from '#web/lib/api/api.ts'
import { calls } from '#web/lib/api/contract.ts'
import { isStaffNow } from '#web/lib/api/staff.ts'

/** True if the list of this page has anything for its reader. */
export const hasRows = async (): Promise<boolean> => {
  const list = (isStaffNow('logs') ? calls.browseDrawings : calls.browseOwnDrawings) as typeof calls.browseDrawings
  return (await call(list, { query: { page_size: 1 } })).items.length > 0
}
