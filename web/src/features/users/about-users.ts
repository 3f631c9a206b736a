import { calls } from '../../lib/api/contract.ts'

/** Calls that read users; they are repeated after a user was changed. */
export const aboutUsers = [
  calls.searchUsers,
  calls.getUser,
  calls.getUserOverview,
  calls.listUserLedger,
  calls.listAudit,
] as const
