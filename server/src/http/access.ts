import { type Access, leastRole, role, userStatus } from '@tollgate/contract'
import { AppError } from '../lib/app-error.ts'
import type { Caller, Cookie } from './route.ts'

/** The cookie that holds a session's id. */
export const sessionCookie = 'session'

/** Who is behind the credentials of a call; `renewal` keeps a used session alive. */
export interface Authentication {
  readonly caller: Caller
  readonly renewal?: Cookie | undefined
}

/** Looks callers up, afresh for each call. Cancelled users are unknown. */
export interface Callers {
  bySession(sessionId: string): Promise<Authentication | undefined>
  byAccessToken(accessToken: string): Promise<Caller | undefined>
}

/** The credentials of a call. */
export interface Credentials {
  /** Value of the session cookie. */
  readonly sessionId: string | undefined
  header(name: string): string | undefined
}

const knownRoles: readonly number[] = [0, role.user, role.admin, role.root]

const assertValid = (caller: Caller): void => {
  if (caller.username.trim() === '' || !knownRoles.includes(caller.role)) throw new AppError('user_info_invalid')
}

const assertUserIdHeader = (caller: Caller, headerValue: string | undefined): void => {
  if (headerValue === undefined || headerValue === '') throw new AppError('user_id_header_missing')
  if (!/^[+-]?\d+$/.test(headerValue)) throw new AppError('user_id_header_malformed')
  if (Number(headerValue) !== caller.id) throw new AppError('user_id_header_mismatch')
}

const assertAllowed = (caller: Caller, access: Access): void => {
  if (caller.status !== userStatus.enabled) throw new AppError('user_banned')
  if (caller.role < (leastRole[access] ?? 0)) throw new AppError('permission_denied')
  assertValid(caller)
}

const bySession = async (callers: Callers, { sessionId }: Credentials): Promise<Authentication | undefined> =>
  sessionId === undefined || sessionId === '' ? undefined : callers.bySession(sessionId)

const byAccessToken = async (callers: Callers, { header }: Credentials): Promise<Authentication> => {
  const authorization = header('authorization')
  if (authorization === undefined || authorization === '') throw new AppError('not_signed_in')
  const caller = await callers.byAccessToken(authorization.replace(/^Bearer /, ''))
  if (caller === undefined) throw new AppError('access_token_invalid')
  assertValid(caller)
  return { caller }
}

/** A disabled user's session counts as signed out. */
const visitor = async (callers: Callers, credentials: Credentials): Promise<Authentication | undefined> => {
  const authentication = await bySession(callers, credentials)
  return authentication?.caller.status === userStatus.enabled ? authentication : undefined
}

/**
 * Checks who calls, in this order: session before access token, then the `New-Api-User` header,
 * status and role. Throws an AppError; undefined for an anonymous visitor and for API keys, which the handler reads.
 */
export const checkAccess = async (
  access: Access,
  callers: Callers,
  credentials: Credentials,
): Promise<Authentication | undefined> => {
  if (access === 'token') return undefined
  if (access === 'visitor') return visitor(callers, credentials)
  const session = await bySession(callers, credentials)
  if (access === 'session' && session === undefined) throw new AppError('not_signed_in')
  const authentication = session ?? (await byAccessToken(callers, credentials))
  if (access !== 'session') assertUserIdHeader(authentication.caller, credentials.header('new-api-user'))
  assertAllowed(authentication.caller, access)
  return authentication
}
