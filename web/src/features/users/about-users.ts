import { useMemo } from 'react'
import { calls, type User } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'

/** Calls that read users; they are repeated after a user was changed. */
export const aboutUsers = [
  calls.searchUsers,
  calls.getUser,
  calls.getUserOverview,
  calls.listUserLedger,
  calls.listAudit,
  calls.listUserActivity,
] as const

/** A user with activity of late, once that is known. */
export interface ListedUser extends User {
  activity?: { readonly last_active: number; readonly spend: number } | undefined
}

/** The users of a page with their last activity, and their spend of late. */
export const useListed = (users: readonly User[]): readonly ListedUser[] => {
  const ids = users.map(({ id }) => id)
  const { data } = useEndpoint(calls.listUserActivity, { query: { ids: ids.join() } }, { enabled: ids.length > 0 })
  return useMemo(() => {
    const byId = new Map((data ?? []).map(({ user_id, ...activity }) => [user_id, activity]))
    return users.map((user) => ({ ...user, activity: byId.get(user.id) }))
  }, [users, data])
}
