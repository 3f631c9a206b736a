import {
  type Access,
  areaOf,
  type Endpoint,
  leastRole,
  levelOf,
  type PermissionLevel,
  type Permissions,
  permits,
  role,
  type StaffArea,
  userStatus,
} from '@tollgate/contract'
import { AppError } from '../lib/app-error.ts'
import type { ConsoleCaller, Cookie } from './route.ts'

/** The cookie that holds a session's id. */
export const sessionCookie = 'session'

/** Resolves the credentials of a call to its caller; `renewal` extends a used session. */
export interface ConsoleAuthentication {
  readonly caller: ConsoleCaller
  readonly renewal?: Cookie | undefined
}

/** Looks callers up, afresh for each call. Cancelled users are unknown. */
export interface Callers {
  bySession(sessionId: string): Promise<ConsoleAuthentication | undefined>
  /** `ip` is where the token is used. Throws AppError('access_token_expired'). */
  byAccessToken(accessToken: string, ip: string): Promise<ConsoleCaller | undefined>
}

/** The credentials of a call. */
export interface Credentials {
  /** Value of the session cookie. */
  readonly sessionId: string | undefined
  /** Address of the client. */
  readonly ip: string
  header(name: string): string | undefined
}

const knownRoles: readonly number[] = [0, role.user, role.admin, role.root]

const assertValid = (caller: ConsoleCaller): void => {
  if (caller.username.trim() === '' || !knownRoles.includes(caller.role)) throw new AppError('user_info_invalid')
}

const assertUserIdHeader = (caller: ConsoleCaller, headerValue: string | undefined): void => {
  if (headerValue === undefined || headerValue === '') throw new AppError('user_id_header_missing')
  if (!/^[+-]?\d+$/.test(headerValue)) throw new AppError('user_id_header_malformed')
  if (Number(headerValue) !== caller.id) throw new AppError('user_id_header_mismatch')
}

const assertAllowed = (caller: ConsoleCaller, access: Access): void => {
  if (caller.status !== userStatus.enabled) throw new AppError('user_banned')
  if (caller.role < (leastRole[access] ?? 0)) throw new AppError('permission_denied')
  assertValid(caller)
}

const bySession = async (callers: Callers, { sessionId }: Credentials): Promise<ConsoleAuthentication | undefined> =>
  sessionId === undefined || sessionId === '' ? undefined : callers.bySession(sessionId)

const byAccessToken = async (callers: Callers, { header, ip }: Credentials): Promise<ConsoleAuthentication> => {
  const authorization = header('authorization')
  if (authorization === undefined || authorization === '') throw new AppError('not_signed_in')
  const caller = await callers.byAccessToken(authorization.replace(/^Bearer /, ''), ip)
  if (caller === undefined) throw new AppError('access_token_invalid')
  assertValid(caller)
  return { caller }
}

/** A disabled user's session counts as signed out. */
const visitor = async (callers: Callers, credentials: Credentials): Promise<ConsoleAuthentication | undefined> => {
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
): Promise<ConsoleAuthentication | undefined> => {
  if (access === 'token') return undefined
  if (access === 'visitor') return visitor(callers, credentials)
  const session = await bySession(callers, credentials)
  if (access === 'session' && session === undefined) throw new AppError('not_signed_in')
  const authentication = session ?? (await byAccessToken(callers, credentials))
  if (access !== 'session') assertUserIdHeader(authentication.caller, credentials.header('new-api-user'))
  assertAllowed(authentication.caller, access)
  return authentication
}

/**
 * The role that counts where calls of users show administrators more: an administrator whose permissions do not open the area
 * is a user there.
 */
export const roleIn = (
  caller: { readonly role: number; readonly permissions?: Permissions | undefined },
  area: StaffArea,
  level: PermissionLevel = 'read',
): number => (permits(caller.permissions, area, level) ? caller.role : Math.min(caller.role, role.user))

/** Throws AppError('area_denied') unless the caller's permissions open the area at this level. */
export const assertPermitted = (
  { permissions }: { readonly permissions?: Permissions | undefined },
  area: StaffArea,
  level: PermissionLevel,
): void => {
  if (!permits(permissions, area, level))
    throw new AppError('area_denied', { params: { permission: `${area}:${level}` } })
}

const ofAdministrators: readonly Access[] = ['admin', 'root']

/**
 * Holds an administrator with permissions to the areas that they open: reading calls need `read`, changes need `write`. A
 * call that no area has is closed to them.
 */
export const assertAreaOpen = (
  endpoint: Pick<Endpoint, 'access' | 'path' | 'method' | 'changes' | 'answersGuesses'>,
  caller: ConsoleCaller,
): void => {
  const { access, path } = endpoint
  if (!ofAdministrators.includes(access) || caller.permissions === undefined) return
  const area = areaOf(path)
  if (area === undefined) throw new AppError('permission_denied')
  const level = levelOf(endpoint)
  if (area !== 'shared') assertPermitted(caller, area, level)
  else if (level === 'write') throw new AppError('permission_denied')
}
