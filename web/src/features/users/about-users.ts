import { calls } from '../../lib/api/contract.ts'

/** What shows data about users: it is read again after one of them was changed. */
export const aboutUsers = [
  calls.searchUsers,
  calls.getUser,
  calls.getUserOverview,
  calls.listUserLedger,
  calls.listAudit,
] as const
