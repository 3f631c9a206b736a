import {
  listCallSessions,
  listOwnCallSessions,
  readCallSessionGuard,
  readOwnCallSessionGuard,
  sumCallSessions,
  sumOwnCallSessions,
} from '@tollgate/contract'
import type { On } from '#server/http/route.ts'
import type { CallSessions } from './call-sessions.ts'

/** The sessions of clients: everybody's for operators, one's own for users. */
export const callSessionRoutes = (on: On, sessions: CallSessions): void => {
  on(listCallSessions, async ({ query }) => ({ data: await sessions.list(query) }))
  on(listOwnCallSessions, async ({ query, caller }) => ({
    data: await sessions.list({ ...query, username: '' }, caller.id),
  }))
  on(sumCallSessions, async ({ query }) => ({ data: await sessions.sums(query) }))
  on(sumOwnCallSessions, async ({ query, caller }) => ({
    data: await sessions.sums({ ...query, username: '' }, caller.id),
  }))
  on(readCallSessionGuard, async ({ query }) => ({ data: await sessions.guard(query.session) }))
  on(readOwnCallSessionGuard, async ({ query, caller }) => ({ data: await sessions.guard(query.session, caller.id) }))
}
