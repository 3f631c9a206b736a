import type { BodyOf, login, User, updateSelf } from '@tollgate/contract'
import { userStatus } from '@tollgate/contract'
import type { UserRow } from '../../db/schema.ts'
import type { Trace } from '../../db/trace.ts'
import type { ConsoleClient } from '../../http/client.ts'
import type { ConsoleCaller, Cookie } from '../../http/route.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { newAccessToken } from '../../lib/ids.ts'
import type { Log } from '../../lib/log.ts'
import { limitKey } from '../../lib/security/client-address.ts'
import { hashPassword, isImportedHash, verifyPassword } from '../../lib/security/password.ts'
import type { Secrets } from '../../lib/security/secrets.ts'
import type { Challenges } from '../../verification/challenges.ts'
import type { EndedAtProvider, ProviderSession } from '../../verification/provider-session.ts'
import { type RequiredWays, ssoForMembers, ssoRequired } from '../../verification/required-way.ts'
import type { SignInWays } from '../../verification/sign-in-ways.ts'
import { type Confirmations, createConfirmations } from './confirmation.ts'
import { createDefaultPasswordCheck, mayUseDefaultPassword } from './first-start.ts'
import type { AccountUsers, SecondFactor } from './ports.ts'
import { createSecondStepGuesses } from './second-step-guesses.ts'
import { type BrowserSessions, endedCookie } from './sessions.ts'
import { createSignIn, type SignedIn, type SignIn, type SignInAnswer } from './sign-in.ts'
import { createSignInAudit } from './sign-in-audit.ts'
import { type AttemptKeys, createLoginThrottle, type LoginThrottle } from './throttle.ts'

interface AccountParts {
  readonly users: AccountUsers
  readonly sessions: BrowserSessions
  readonly secondFactor: SecondFactor
  readonly signInWays: SignInWays
  readonly challenges: Challenges
  readonly secrets: Secrets
  readonly audit: { record(trace: Trace): Promise<void> }
  /** Shared by the nodes where there are several. */
  readonly throttle?: LoginThrottle | undefined
  /** Access of a signed-in user to organisations. */
  organisations(row: UserRow): Promise<SignedIn['organisations']>
  readonly requiredWays: RequiredWays
  /** Option PasswordLoginEnabled. */
  passwordLoginEnabled(): boolean
  /** `config.allowDefaultPassword`. */
  readonly allowDefaultPassword: boolean
  readonly clock: Clock
  readonly log: Log
}

/** The parts with which a module adds a way to sign in. */
export interface SignInKit {
  /** Its method is one of `signInMethods` of the module's `module.ts`. */
  readonly addWay: SignInWays['add']
  readonly challenges: Challenges
  /** Signs in a user who has proved both factors. */
  readonly withBoth: SignIn['afterBoth']
  /** Marks a session whose owner has just been proved, by the digest of its id. */
  readonly confirmed: BrowserSessions['confirm']
}

export interface AccountSignIn {
  readonly confirmations: Confirmations
  readonly signIn: SignInKit
  /** True if a way to sign in opens the account that is neither a password nor an account elsewhere. */
  opensByWay(userId: number): Promise<boolean>
  login(body: BodyOf<typeof login>, client: ConsoleClient): Promise<SignInAnswer>
  /** Every other way of signing in with one factor ends here; `how` is e.g. a provider's name; see `SignIn.afterFirst`. */
  signInAs(userId: number, client: ConsoleClient, how: string, at?: ProviderSession): Promise<SignInAnswer>
  /** `step` is the value of the cookie `second_step`; see `SignIn.finish`. */
  finishSecondStep(step: string | undefined, code: string, client: ConsoleClient): Promise<SignInAnswer>
  /** `at` is the session of an identity provider that the ended one began with. */
  logout(client: ConsoleClient): Promise<{ readonly cookie: Cookie; readonly at: ProviderSession | undefined }>
  /** Ends sessions because the identity provider ended its own. */
  endAtProvider(at: EndedAtProvider, visitor: { readonly ip: string; readonly userAgent: string }): Promise<void>
  whoAmI(caller: ConsoleCaller | undefined): Promise<SignedIn | null>
  self(caller: ConsoleCaller): Promise<User>
  /**
   * A new password takes the old one, and a fresh confirmation where a second factor or another way to sign in is set; the first one takes
   * a fresh confirmation only. Answers the cookie
   * of a new session when the password changed and the caller has a session.
   */
  updateSelf(caller: ConsoleCaller, body: BodyOf<typeof updateSelf>, client: ConsoleClient): Promise<Cookie | undefined>
  makeAccessToken(caller: ConsoleCaller, client: ConsoleClient): Promise<string>
  /** Cancels the account and answers the cookie that ends the session. */
  deleteSelf(caller: ConsoleCaller, client: ConsoleClient): Promise<Cookie>
}

/** Signing in and out, and what users do with their own account. */
export const openAccounts = (parts: AccountParts): AccountSignIn => {
  const { users, sessions } = parts
  const throttle = parts.throttle ?? createLoginThrottle(parts.clock)
  const secondStep = createSecondStepGuesses(parts.secondFactor, throttle)
  const trail = createSignInAudit(parts.audit)
  const hasDefaultPassword = createDefaultPasswordCheck()

  const signedIn = async (row: UserRow): Promise<SignedIn> => ({
    ...users.present(row),
    default_password: await hasDefaultPassword(row),
    organisations: await parts.organisations(row),
  })

  const keysOf = (userId: number, client: ConsoleClient): AttemptKeys => ({
    account: `id:${userId}`,
    address: limitKey(client.ip),
  })

  const signIn = createSignIn({
    ...parts,
    secondStep,
    trail,
    present: signedIn,
    proved: (userId, client) => throttle.proved(keysOf(userId, client)),
  })

  /** Compares a password, slowly when there were wrong ones before. An unknown user costs the same work. */
  const isRight = async (password: string, row: UserRow | undefined, keys: AttemptKeys): Promise<boolean> => {
    await throttle.attempt(keys)
    const right = await verifyPassword(password, row?.password)
    if (right) await throttle.succeeded(keys)
    return right
  }

  const rowBehind = async (name: string, password: string, client: ConsoleClient): Promise<UserRow> => {
    const row = await users.byLoginName(name)
    const keys = row ? keysOf(row.id, client) : { account: `name:${name.toLowerCase()}`, address: limitKey(client.ip) }
    const right = await isRight(password, row, keys)
    if (row === undefined || !right || row.status !== userStatus.enabled) {
      parts.log.warn('sign_in_refused', { ip: client.ip, user_id: row?.id })
      if (row !== undefined) await trail.refused(row, client)
      throw new AppError('credentials_wrong')
    }
    return isImportedHash(row.password) ? withOwnHash(row, password) : row
  }

  /** A password that came from another gateway is stored like every other once it is known. */
  const withOwnHash = async (row: UserRow, password: string): Promise<UserRow> => {
    const hash = await hashPassword(password)
    await users.storeHash(row.id, row.password, hash)
    return { ...row, password: hash }
  }

  const assertDefaultPasswordIsLocal = async (row: UserRow, client: ConsoleClient): Promise<void> => {
    if (parts.allowDefaultPassword || mayUseDefaultPassword(client)) return
    if (await hasDefaultPassword(row)) throw new AppError('default_password_remote')
  }

  const own = async (caller: ConsoleCaller): Promise<UserRow> => {
    const row = await users.byId(caller.id)
    if (row === undefined) throw new AppError('user_not_found')
    return row
  }

  const assertOriginalPassword = async (
    row: UserRow,
    original: string | undefined,
    client: ConsoleClient,
  ): Promise<void> => {
    if (!original || !(await isRight(original, row, keysOf(row.id, client))))
      throw new AppError('original_password_wrong')
  }

  const confirmations = createConfirmations({ ...parts, secondStep, assertPassword: assertOriginalPassword })

  /** People who came from elsewhere have no password to show: what counts is that they have just signed in. */
  const assertMaySetPassword = async (
    caller: ConsoleCaller,
    row: UserRow,
    original: string | undefined,
    client: ConsoleClient,
  ) => {
    if (row.password === '') return confirmations.assert(caller, 'always')
    await assertOriginalPassword(row, original, client)
    await confirmations.assert(caller, true)
  }

  return {
    confirmations,
    signIn: {
      addWay: parts.signInWays.add,
      challenges: parts.challenges,
      withBoth: signIn.afterBoth,
      confirmed: sessions.confirm,
    },
    opensByWay: (userId) => parts.signInWays.openAccount(userId),

    async login({ username, password }, client) {
      if (!parts.passwordLoginEnabled()) throw new AppError('password_login_disabled')
      if (username === '' || password === '') throw new AppError('invalid_parameter')
      const name = username.trim()
      if (name === '') throw new AppError('credentials_missing')
      const row = await rowBehind(name, password, client).catch((error: unknown) => {
        const required = parts.requiredWays.ofAddress(name)
        const wrong = error instanceof AppError && error.code === 'credentials_wrong'
        if (!wrong || required === undefined) throw error
        // A password of these people is of no use, right or wrong: the answer says where to go. An organisation binds its members
        // alone, and who they are is not for everybody.
        throw required.organisationId === 0
          ? ssoRequired(required)
          : ssoForMembers('sso_or_credentials_wrong', required)
      })
      await assertDefaultPasswordIsLocal(row, client)
      return signIn.afterFirst(row.id, client, 'password')
    },

    signInAs: signIn.afterFirst,
    finishSecondStep: signIn.finish,

    async logout(client) {
      const { sessionId } = client
      const session = sessionId === undefined ? undefined : await sessions.find(sessionId)
      if (sessionId === undefined || session === undefined) return { cookie: endedCookie, at: undefined }
      const at = await sessions.providerSessionOf(session.idHash)
      await sessions.end(sessionId)
      const row = await users.byId(session.userId)
      if (row !== undefined) await trail.ended(row, client)
      return { cookie: endedCookie, at }
    },

    async endAtProvider(at, visitor) {
      for (const userId of await sessions.endOfProvider(at)) {
        const row = await users.byId(userId)
        if (row !== undefined) await trail.ended(row, visitor)
      }
    },

    async whoAmI(caller) {
      const row = caller && (await users.byId(caller.id))
      return row ? signedIn(row) : null
    },

    self: async (caller) => users.presentOwn(await own(caller)),

    async updateSelf(caller, { original_password, ...change }, client) {
      const row = await own(caller)
      if (change.password && caller.accessToken !== undefined) throw new AppError('access_token_not_supported')
      if (change.password) await assertMaySetPassword(caller, row, original_password, client)
      const at = change.password ? await sessions.providerSessionOf(caller.sessionIdHash) : undefined
      await users.changeProfile({ id: row.id, username: row.username, ip: client.ip }, row, change)
      return change.password && !caller.viaAccessToken ? sessions.start(row.id, client, at) : undefined
    },

    async deleteSelf(caller, client) {
      const row = await own(caller)
      await users.cancelSelf({ id: row.id, username: row.username, ip: client.ip }, row)
      return endedCookie
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
