import type { IncomingMessage } from 'node:http'
import { ownMember } from '@tollgate/contract/own-member'
import { parse as parseCookies } from 'hono/utils/cookie'
import type { UserRow } from '../../db/schema.ts'
import { type Callers, checkAccess, sessionCookie } from '../../http/access.ts'
import { assertOwnOrigin } from '../../http/origin.ts'
import { permissionsOf } from '../../http/permissions.ts'
import type { ConsoleCaller } from '../../http/route.ts'
import { callerWithin } from '../../http/token-scopes.ts'
import { AppError } from '../../lib/app-error.ts'
import { namedAccessTokenStart } from '../../lib/ids.ts'
import type { Secrets } from '../../lib/security/secrets.ts'
import { acceptsUnpricedModels, type CallerUser } from '../../relay/callers.ts'
import type { AccountUsers, NamedTokens } from './ports.ts'
import type { BrowserSessions } from './sessions.ts'

const callerOf = (row: UserRow, how: Pick<ConsoleCaller, 'viaAccessToken' | 'sessionIdHash'>): ConsoleCaller => ({
  id: row.id,
  username: row.username,
  role: row.role,
  status: row.status,
  group: row.group,
  permissions: permissionsOf(row),
  ...how,
})

/** The wallet of an organisation is nobody, whatever an administrator gave it to sign in with. */
const personIn = (row: UserRow | undefined): UserRow | undefined => (row?.organisation_id ? undefined : row)

/**
 * Finds out who makes a console call. Role, status and group come from the database at every call, so a disabled or
 * demoted user is one at once.
 */
export const createCallers = (parts: {
  sessions: BrowserSessions
  users: AccountUsers
  namedTokens: NamedTokens
  secrets: Secrets
}): Callers => ({
  async bySession(sessionId) {
    const session = await parts.sessions.find(sessionId)
    const row = session && personIn(await parts.users.byId(session.userId))
    return (
      row && {
        caller: callerOf(row, { viaAccessToken: false, sessionIdHash: session.idHash }),
        renewal: session.renewal,
      }
    )
  },
  async byAccessToken(accessToken, ip) {
    if (accessToken === '') return undefined
    const named = accessToken.startsWith(namedAccessTokenStart)
      ? await parts.namedTokens.find(accessToken, ip)
      : undefined
    if (named !== undefined) {
      const owner = personIn(await parts.users.byId(named.userId))
      return owner && callerWithin(callerOf(owner, { viaAccessToken: true, sessionIdHash: '' }), named)
    }
    const row = personIn(await parts.users.byAccessTokenHash(parts.secrets.digest('access_token', accessToken)))
    return row && callerOf(row, { viaAccessToken: true, sessionIdHash: '' })
  },
})

/** The signed-in user who makes a playground call on the relay. */
export const createPlaygroundSessions = (parts: {
  callers: Callers
  users: AccountUsers
}): { caller(request: IncomingMessage): Promise<CallerUser> } => ({
  async caller(request) {
    const header = (name: string): string | undefined => {
      const value = ownMember(request.headers, name)
      return Array.isArray(value) ? value[0] : value
    }
    const sessionId = parseCookies(header('cookie') ?? '', sessionCookie)[sessionCookie]
    if (sessionId !== undefined) assertOwnOrigin(true, header)
    const authentication = await checkAccess('user', parts.callers, { sessionId, ip: '', header })
    if (authentication === undefined) throw new AppError('not_signed_in')
    if (authentication.caller.viaAccessToken) throw new AppError('access_token_not_supported')
    const { id, username, role, status, group } = authentication.caller
    const row = await parts.users.byId(id)
    return { id, username, role, status, group, acceptsUnpricedModels: acceptsUnpricedModels(row?.setting ?? '') }
  },
})
