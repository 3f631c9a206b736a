import {
  type AccessToken,
  type BodyOf,
  type makeNamedAccessToken,
  mostAccessTokens,
  ownAreas,
  type PermissionLevel,
  role,
  type Scope,
  type StaffArea,
  scopes,
  staffAreas,
} from '@tollgate/contract'
import { parseJson } from '@tollgate/contract/json'
import type { Database } from '../../db/database.ts'
import type { Trace } from '../../db/trace.ts'
import { assertPermitted } from '../../http/access.ts'
import type { ConsoleCaller } from '../../http/route.ts'
import { AppError } from '../../lib/app-error.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import { newNamedAccessToken } from '../../lib/ids.ts'
import type { Secrets } from '../../lib/security/secrets.ts'
import { type AccessTokenRow, openAccessTokenStore } from './store.ts'

/** The last use is written at most this often, so that a call seldom writes. */
const useSeconds = 60
/** How long an expired token stays in the lists. */
const expiredSeconds = 30 * 86_400
const hintLength = 4

/** A token that is alive. */
export interface LiveAccessToken {
  readonly id: number
  readonly userId: number
  readonly scopes: readonly Scope[]
}

interface Actor {
  readonly id: number
  readonly username: string
  readonly ip: string
}

/** Named tokens for the console's API: many for each user, with scopes and expiry. */
export interface AccessTokens {
  /** The token of a call, with its use noted; undefined for unknown ones. Throws AppError('access_token_expired'). */
  find(token: string, ip: string): Promise<LiveAccessToken | undefined>
  list(userId: number): Promise<AccessToken[]>
  /**
   * The token in clear, once. Throws AppError('area_denied' | 'permission_denied') for scopes beyond what the caller may,
   * 'access_token_expiry_past' and 'access_tokens_full'.
   */
  make(
    caller: ConsoleCaller,
    body: BodyOf<typeof makeNamedAccessToken>,
    ip: string,
  ): Promise<AccessToken & { readonly token: string }>
  /** Ends a token of a user at once, on all nodes. Throws AppError('not_found'). */
  revoke(actor: Actor, userId: number, id: number): Promise<void>
  /** Removes tokens that expired a while ago; a job calls it now and then. */
  purge(): Promise<void>
}

export interface AccessTokenParts {
  readonly database: Database
  readonly secrets: Pick<Secrets, 'digest'>
  readonly audit: { record(trace: Trace, on?: Parameters<Parameters<Database['transaction']>[0]>[0]): Promise<void> }
  readonly clock: Clock
}

const known: ReadonlySet<string> = new Set(scopes)
const isScope = (value: unknown): value is Scope => typeof value === 'string' && known.has(value)

/** Unreadable permissions grant nothing. */
const scopesIn = (stored: string): Scope[] => {
  const value = parseJson(stored)
  return Array.isArray(value) ? value.filter(isScope) : []
}

const present = ({ user_id: _owner, token_hash: _hash, ...row }: AccessTokenRow): AccessToken => ({
  ...row,
  scopes: scopesIn(row.scopes),
})

const isStaffArea = (area: string): area is StaffArea => (staffAreas as readonly string[]).includes(area)

/** Scopes in their order, without those that others include. */
const tidied = (wanted: readonly Scope[]): Scope[] => {
  if (wanted.includes('all')) return ['all']
  const areas = [...ownAreas, ...staffAreas]
  return areas.flatMap((area): Scope[] => {
    if (wanted.includes(`${area}:write`)) return [`${area}:write`]
    return wanted.includes(`${area}:read`) ? [`${area}:read`] : []
  })
}

const assertHeld = (caller: ConsoleCaller, wanted: readonly Scope[]): void => {
  for (const scope of wanted) {
    const [area = '', level] = scope.split(':')
    if (!isStaffArea(area)) continue
    if (caller.role < role.admin) throw new AppError('permission_denied')
    assertPermitted(caller, area, level as PermissionLevel)
  }
}

export const openAccessTokens = (parts: AccessTokenParts): AccessTokens => {
  const store = openAccessTokenStore(parts.database)
  const now = (): number => unixSeconds(parts.clock)
  const hashOf = (token: string): string => parts.secrets.digest('access_token', token)

  return {
    async find(token, ip) {
      const row = await store.byHash(hashOf(token))
      if (row === undefined) return undefined
      const at = now()
      if (row.expires_time > 0 && row.expires_time <= at) throw new AppError('access_token_expired')
      const before = at - useSeconds
      if (row.last_used_time <= before) await store.used(row.id, { at, ip, before })
      return { id: row.id, userId: row.user_id, scopes: scopesIn(row.scopes) }
    },

    list: async (userId) => (await store.ofUser(userId)).map(present),

    async make(caller, { name, scopes: wanted, expires_time }, ip) {
      assertHeld(caller, wanted)
      const created_time = now()
      if (expires_time > 0 && expires_time <= created_time) throw new AppError('access_token_expiry_past')
      const token = newNamedAccessToken()
      const held = tidied(wanted)
      const shown = { name, scopes: held, hint: token.slice(-hintLength), created_time, expires_time }
      const unused = { last_used_time: 0, last_used_ip: '' }
      const id = await parts.database.transaction(async (trx) => {
        if ((await store.countLiving(trx, caller.id, created_time)) >= mostAccessTokens)
          throw new AppError('access_tokens_full', { params: { count: mostAccessTokens } })
        const row = { ...shown, ...unused, scopes: JSON.stringify(held) }
        const made = await store.insert(trx, { ...row, user_id: caller.id, token_hash: hashOf(token) })
        const actor = { id: caller.id, username: caller.username }
        const after = { name, scopes: held, expires_time }
        await parts.audit.record(
          { actor, action: 'access_token.create', object: 'access_token', objectId: made, after, ip },
          trx,
        )
        return made
      })
      return { id, ...shown, ...unused, token }
    },

    async revoke({ id: by, username, ip }, userId, id) {
      const row = await store.one(userId, id)
      if (row === undefined) throw new AppError('not_found')
      await parts.database.transaction(async (trx) => {
        if (!(await store.remove(trx, id))) return
        const before = { user_id: userId, name: row.name, scopes: scopesIn(row.scopes) }
        const actor = { id: by, username }
        await parts.audit.record(
          { actor, action: 'access_token.revoke', object: 'access_token', objectId: id, before, ip },
          trx,
        )
      })
    },

    purge: () => store.purge(now() - expiredSeconds),
  }
}
