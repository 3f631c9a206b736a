import { call } from '../../lib/api/api.ts'
import { calls } from '../../lib/api/contract.ts'
import type { SetStatus } from '../../lib/status-change.ts'

/** Enables or disables a key and leaves the rest of it alone. */
export const setTokenStatus = (id: number, status: SetStatus) =>
  call(calls.updateToken, { query: { status_only: 'true' }, body: { id, status } })
