import {
  type getUserUsage,
  type Invitee,
  type LedgerPage,
  type listInvitees,
  type listUserLedger,
  type listUserTokens,
  longestUsageSeconds,
  type Page,
  type QueryOf,
  type Token,
  type UserOverview,
  type UserSession,
  type UserUsage,
} from '@tollgate/contract'
import { AppError } from '../../lib/app-error.ts'
import { unixSeconds } from '../../lib/clock.ts'
import { createLedgerReader } from './ledger.ts'
import { openLedgerStore } from './ledger-store.ts'
import { openPeopleStore } from './people-store.ts'
import type { UserPageParts, Viewer } from './ports.ts'
import { readUsage } from './usage.ts'

type Slice = QueryOf<typeof listInvitees>

/** Everything that hangs on one user, for those above, and the own ledger. */
export interface UserPage {
  overview(viewer: Viewer, id: number): Promise<UserOverview>
  ledger(viewer: Viewer, id: number, query: QueryOf<typeof listUserLedger>): Promise<LedgerPage>
  ownLedger(userId: number, query: QueryOf<typeof listUserLedger>): Promise<LedgerPage>
  tokens(viewer: Viewer, id: number, query: QueryOf<typeof listUserTokens>): Promise<Page<Token>>
  usage(viewer: Viewer, id: number, query: QueryOf<typeof getUserUsage>): Promise<UserUsage>
  invitees(viewer: Viewer, id: number, slice: Slice): Promise<Page<Invitee>>
  sessions(viewer: Viewer, id: number, slice: Slice): Promise<Page<UserSession>>
  /** Signs one browser of the user out; leaves a trace. Throws AppError('not_found'). */
  endSession(viewer: Viewer, id: number, session: string): Promise<void>
  /** Signs the user out everywhere; leaves a trace. */
  endSessions(viewer: Viewer, id: number): Promise<void>
}

export const openUserPage = (parts: UserPageParts): UserPage => {
  const ledger = createLedgerReader(openLedgerStore(parts.database))
  const people = openPeopleStore(parts.database)
  const now = (): number => unixSeconds(parts.clock)

  const traceEnd = (viewer: Viewer, id: number, before: number, after: number): Promise<void> =>
    parts.audit.record({
      action: 'user.end_sessions',
      before: { sessions: before },
      after: { sessions: after },
      actor: { id: viewer.id, username: viewer.username },
      object: 'user',
      objectId: id,
      ip: viewer.ip,
    })

  return {
    async overview(viewer, id) {
      const user = await parts.show(viewer, id)
      const [inviter, tokens, sessions] = await Promise.all([
        user.inviter_id > 0 ? people.nameOf(user.inviter_id) : undefined,
        people.countTokens(id),
        people.countSessions(id, now()),
      ])
      return {
        user,
        inviter: inviter === undefined ? null : { id: user.inviter_id, username: inviter },
        tokens,
        sessions,
      }
    },
    async ledger(viewer, id, query) {
      await parts.show(viewer, id)
      return ledger.page(id, query, { forOwner: false })
    },
    ownLedger: (userId, query) => ledger.page(userId, query, { forOwner: true }),
    async tokens(viewer, id, query) {
      await parts.show(viewer, id)
      return parts.tokensOf(id, query)
    },
    async usage(viewer, id, { start_timestamp }) {
      await parts.show(viewer, id)
      return readUsage(parts.database, id, Math.max(start_timestamp, now() - longestUsageSeconds))
    },
    async invitees(viewer, id, slice) {
      await parts.show(viewer, id)
      return people.invitees(id, slice)
    },
    async sessions(viewer, id, slice) {
      await parts.show(viewer, id)
      const page = await people.sessions(id, slice, now())
      return {
        ...page,
        items: page.items.map(({ id_hash, ...row }) => ({ id: parts.sessions.publicIdOf(id_hash), ...row })),
      }
    },
    async endSession(viewer, id, session) {
      await parts.show(viewer, id)
      const before = await people.countSessions(id, now())
      if (!(await parts.sessions.endOne(id, session))) throw new AppError('not_found')
      await traceEnd(viewer, id, before, before - 1)
    },
    async endSessions(viewer, id) {
      await parts.show(viewer, id)
      const before = await people.countSessions(id, now())
      await parts.endSessions(id)
      await traceEnd(viewer, id, before, 0)
    },
  }
}
