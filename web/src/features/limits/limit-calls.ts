import type { ForAll } from '../../components/limits/search-select.tsx'
import { calls } from '../../lib/api/contract.ts'
import { isStaffNow, useIsStaff } from '../../lib/api/staff.ts'

interface LimitCalls {
  readonly list: ForAll<typeof calls.listLimits>
  readonly standing: ForAll<typeof calls.readLimitStanding>
  readonly create: ForAll<typeof calls.createLimit>
  readonly update: ForAll<typeof calls.updateLimit>
  readonly remove: ForAll<typeof calls.deleteLimit>
  readonly subjects: ForAll<typeof calls.findLimitSubjects>
}

/** The calls by which administrators see to all limits. */
const site: LimitCalls = {
  list: calls.listLimits,
  standing: calls.readLimitStanding,
  create: calls.createLimit,
  update: calls.updateLimit,
  remove: calls.deleteLimit,
  subjects: calls.findLimitSubjects,
}

/** The same for users, with the limits of their own keys. */
const own: LimitCalls = {
  list: calls.listOwnLimits,
  standing: calls.readOwnLimitStanding,
  create: calls.createOwnLimit,
  update: calls.updateOwnLimit,
  remove: calls.deleteOwnLimit,
  subjects: calls.findOwnLimitSubjects,
}

export const limitCallsNow = (): LimitCalls => (isStaffNow('limits') ? site : own)

/** Calls for limits: of the whole site for administrators of limits, otherwise of the reader alone. */
export const useLimitCalls = (): LimitCalls & { readonly isAdmin: boolean } => {
  const isAdmin = useIsStaff('limits')
  return { isAdmin, ...(isAdmin ? site : own) }
}
