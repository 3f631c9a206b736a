import { calls } from '../../lib/api/contract.ts'
import { useRefresh } from '../../lib/query.ts'

/** Reads all data about users again, after one of them was changed. */
export const useRefreshUsers = (): (() => Promise<void>) => {
  const refresh = useRefresh()
  return () => refresh(calls.searchUsers, calls.getUser, calls.getUserOverview, calls.listUserLedger, calls.listAudit)
}
