import type { BodyOf, DataOf, login, User, updateSelf, whoAmI } from '@tollgate/contract'
import { userStatus } from '@tollgate/contract'
import type { Caller, Cookie } from '../../http/route.ts'
import { AppError } from '../../lib/app-error.ts'
import { limitKey } from '../../lib/client-address.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import { newAccessToken } from '../../lib/ids.ts'
import type { Log } from '../../lib/log.ts'
import { verifyPassword } from '../../lib/password.ts'
import type { Secrets } from '../../lib/secrets.ts'
import { createDefaultPasswordCheck, mayUseDefaultPassword } from './default-password.ts'
import type { AccountUsers, UserRow } from './ports.ts'
import { endedCookie, type Sessions } from './sessions.ts'
import { type AttemptKeys, createLoginThrottle } from './throttle.ts'

/** The browser or program at the other end. */
export interface Client {
  readonly ip: string
  readonly forwarded: boolean
  readonly userAgent: string
  /** Value of the session cookie it came with. */
  readonly sessionId: string | undefined
}

type SignedIn = NonNullable<DataOf<typeof whoAmI>>

export interface AccountParts {
  readonly users: AccountUsers
  readonly sessions: Sessions
  readonly secrets: Secrets
  /** Option PasswordLoginEnabled. */
  passwordLoginEnabled(): boolean
  /** `config.allowDefaultPassword`. */
  readonly allowDefaultPassword: boolean
  readonly clock: Clock
  readonly log: Log
}

export interface Accounts {
  login(body: BodyOf<typeof login>, client: Client): Promise<{ user: SignedIn; cookie: Cookie }>
  logout(client: Client): Promise<Cookie>
  whoAmI(caller: Caller | undefined): Promise<SignedIn | null>
  self(caller: Caller): Promise<User>
  /** Answers the cookie of a new session when the password changed and the caller has a session. */
  updateSelf(caller: Caller, body: BodyOf<typeof updateSelf>, client: Client): Promise<Cookie | undefined>
  makeAccessToken(caller: Caller, client: Client): Promise<string>
}

/** Signing in and out, and what users do with their own account (server reference §5.2, §5.5, §12.1, §12.3). */
export const openAccounts = (parts: AccountParts): Accounts => {
  const { users, sessions } = parts
  const throttle = createLoginThrottle(parts.clock)
  const hasDefaultPassword = createDefaultPasswordCheck()

  const signedIn = async (row: UserRow): Promise<SignedIn> => ({
    ...users.present(row),
    default_password: await hasDefaultPassword(row),
  })

  /** Compares a password, slowly when there were wrong ones before. An unknown user costs the same work. */
  const isRight = async (password: string, row: UserRow | undefined, keys: AttemptKeys): Promise<boolean> => {
    throttle.attempt(keys)
    const right = await verifyPassword(password, row?.password)
    if (right) throttle.succeeded(keys)
    return right
  }

  const rowBehind = async (name: string, password: string, client: Client): Promise<UserRow> => {
    const row = await users.byLoginName(name)
    const keys = { account: row ? `id:${row.id}` : `name:${name.toLowerCase()}`, address: limitKey(client.ip) }
    const right = await isRight(password, row, keys)
    if (row === undefined || !right || row.status !== userStatus.enabled) {
      parts.log.warn('sign-in refused', { ip: client.ip, user_id: row?.id })
      throw new AppError('credentials_wrong')
    }
    return row
  }

  const assertDefaultPasswordIsLocal = async (row: UserRow, client: Client): Promise<void> => {
    if (parts.allowDefaultPassword || mayUseDefaultPassword(client)) return
    if (await hasDefaultPassword(row)) throw new AppError('default_password_remote')
  }

  const own = async (caller: Caller): Promise<UserRow> => {
    const row = await users.byId(caller.id)
    if (row === undefined) throw new AppError('user_not_found')
    return row
  }

  const assertOriginalPassword = async (row: UserRow, original: string | undefined, client: Client): Promise<void> => {
    const keys = { account: `id:${row.id}`, address: limitKey(client.ip) }
    if (!original || !(await isRight(original, row, keys))) throw new AppError('original_password_wrong')
  }

  return {
    async login({ username, password }, client) {
      if (!parts.passwordLoginEnabled()) throw new AppError('password_login_disabled')
      if (username === '' || password === '') throw new AppError('invalid_parameter')
      const name = username.trim()
      if (name === '') throw new AppError('credentials_missing')
      const row = await rowBehind(name, password, client)
      await assertDefaultPasswordIsLocal(row, client)
      // A new id for a new identity: whoever planted or copied the old one gains nothing.
      if (client.sessionId !== undefined) await sessions.end(client.sessionId)
      const cookie = await sessions.start(row.id, client)
      const now = unixSeconds(parts.clock)
      await users.signedIn(row.id, now)
      return { user: await signedIn({ ...row, last_login_time: now }), cookie }
    },

    async logout({ sessionId }) {
      if (sessionId !== undefined) await sessions.end(sessionId)
      return endedCookie
    },

    async whoAmI(caller) {
      const row = caller && (await users.byId(caller.id))
      return row ? signedIn(row) : null
    },

    self: async (caller) => users.presentOwn(await own(caller)),

    async updateSelf(caller, { original_password, ...change }, client) {
      const row = await own(caller)
      if (change.password) await assertOriginalPassword(row, original_password, client)
      await users.changeProfile({ id: row.id, username: row.username, ip: client.ip }, row, change)
      return change.password && !caller.viaAccessToken ? sessions.start(row.id, client) : undefined
    },

    async makeAccessToken(caller, client) {
      const row = await own(caller)
      const token = newAccessToken()
      const hash = parts.secrets.digest('access_token', token)
      await users.setAccessTokenHash({ id: row.id, username: row.username, ip: client.ip }, row, hash)
      return token
    },
  }
}
