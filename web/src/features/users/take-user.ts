import { useQueryClient } from '@tanstack/react-query'
import { calls, type Page, type User, type UserOverview } from '../../lib/api/contract.ts'
import { useRefresh } from '../../lib/query.ts'

const withState = (user: User, { id, status, role, DeletedAt }: User): User =>
  user.id === id ? { ...user, status, role, DeletedAt } : user

/**
 * Puts the status and role that a call answered with into every row that shows the user. The row
 * stays in sight even where a filter would now leave it out.
 */
export const useTakeUser = (): ((changed: User) => void) => {
  const client = useQueryClient()
  const refresh = useRefresh()
  return (changed) => {
    client.setQueriesData<Page<User>>(
      { queryKey: [calls.searchUsers.method, calls.searchUsers.path] },
      (page) => page && { ...page, items: page.items.map((user) => withState(user, changed)) },
    )
    client.setQueriesData<UserOverview>(
      { queryKey: [calls.getUserOverview.method, calls.getUserOverview.path] },
      (page) => page && { ...page, user: withState(page.user, changed) },
    )
    void refresh(calls.getUserOverview, calls.listAudit, calls.listUserSessions)
  }
}
