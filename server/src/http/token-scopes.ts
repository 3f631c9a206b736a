import {
  areaOf,
  type Endpoint,
  isChange,
  levelOf,
  ownAreaOf,
  type PermissionLevel,
  permissionsWithin,
  role,
  type Scope,
  scopesOpen,
  staffAreas,
} from '@tollgate/contract'
import { AppError } from '../lib/app-error.ts'
import type { CallToken, ConsoleCaller } from './route.ts'

/**
 * The caller with a named token. With scopes it is an administrator at most, limited to the intersection of the scopes and the owner's
 * permissions, so that a token never leads to its owner's other rights.
 */
export const callerWithin = (owner: ConsoleCaller, token: CallToken): ConsoleCaller => {
  if (token.scopes.includes('all')) return { ...owner, accessToken: token }
  const permissions = owner.role < role.admin ? undefined : permissionsWithin(token.scopes, owner.permissions)
  return { ...owner, role: Math.min(owner.role, role.admin), permissions, accessToken: token }
}

const denied = (scope: string): AppError => new AppError('token_scope_denied', { params: { scope } })

const assertOpen = (held: readonly Scope[], area: Parameters<typeof scopesOpen>[1], level: PermissionLevel): void => {
  if (!scopesOpen(held, area, level)) throw denied(`${area}:${level}`)
}

const assertOwn = (
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  held: readonly Scope[],
  level: PermissionLevel,
) => {
  const area = ownAreaOf({ method, path })
  if (area === 'sign_in') throw new AppError('access_token_not_supported')
  if (area === 'names' && level === 'read') return
  if (area === undefined || area === 'names') {
    if (!held.includes('all')) throw denied('all')
  } else assertOpen(held, area, level)
}

const assertAdministration = (path: string, held: readonly Scope[], level: PermissionLevel): void => {
  const area = areaOf(path)
  if (area === undefined || (area === 'shared' && level === 'write')) {
    if (!held.includes('all')) throw denied('all')
  } else if (area !== 'shared') assertOpen(held, area, level)
  else if (!held.includes('all') && !staffAreas.some((one) => scopesOpen(held, one, 'read'))) throw denied('all')
}

/**
 * Holds a call with a named token to its scopes; how its owner signs in is closed to all of them. Other calls pass. Throws
 * AppError('token_scope_denied' | 'access_token_not_supported').
 */
export const assertInScope = (
  endpoint: Pick<Endpoint, 'access' | 'path' | 'method' | 'changes' | 'answersGuesses'>,
  { accessToken }: Pick<ConsoleCaller, 'accessToken'>,
): void => {
  if (accessToken === undefined) return
  const { access, path, method } = endpoint
  const level = levelOf(endpoint)
  if (access === 'user') assertOwn({ method, path }, accessToken.scopes, level)
  else assertAdministration(path, accessToken.scopes, level)
}

const idIn = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined

/**
 * A named token changes nothing of its owner through the administration of users: with a new password it could sign in and
 * make a token that may more. Throws AppError('access_token_not_supported').
 */
export const assertNotOwner = (
  endpoint: Pick<Endpoint, 'path' | 'method' | 'changes' | 'access'>,
  {
    caller,
    params,
    body,
  }: { readonly caller: ConsoleCaller | undefined; readonly params: unknown; readonly body: unknown },
): void => {
  if (caller?.accessToken === undefined || endpoint.access === 'user' || areaOf(endpoint.path) !== 'users') return
  if (isChange(endpoint) && [idIn(params), idIn(body)].includes(caller.id))
    throw new AppError('access_token_not_supported')
}
