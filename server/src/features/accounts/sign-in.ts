import { type DataOf, type SignInResult, userStatus, type whoAmI } from '@tollgate/contract'
import { z } from 'zod'
import type { UserRow } from '../../db/schema.ts'
import type { ConsoleClient } from '../../http/client.ts'
import type { Cookie } from '../../http/route.ts'
import { AppError } from '../../lib/app-error.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import type { Secrets } from '../../lib/security/secrets.ts'
import type { Challenges } from '../../verification/challenges.ts'
import { type ProviderSession, providerSession } from '../../verification/provider-session.ts'
import { type RequiredWays, ssoRequired } from '../../verification/required-way.ts'
import type { AccountUsers, SecondFactor } from './ports.ts'
import type { SecondStepGuesses } from './second-step-guesses.ts'
import type { BrowserSessions } from './sessions.ts'
import type { SignInAudit } from './sign-in-audit.ts'

export type SignedIn = NonNullable<DataOf<typeof whoAmI>>

/** Result of a sign-in, ready to be a handler's answer. */
export interface SignInAnswer {
  readonly data: SignInResult
  readonly cookies: readonly Cookie[]
}

export interface SignInParts {
  readonly users: AccountUsers
  readonly sessions: BrowserSessions
  readonly secondFactor: Pick<SecondFactor, 'isOn'>
  readonly secondStep: SecondStepGuesses
  readonly challenges: Challenges
  readonly secrets: Secrets
  readonly trail: SignInAudit
  /** Called after each sign-in, by any method. */
  readonly proved: (userId: number, client: ConsoleClient) => void | Promise<void>
  readonly requiredWays: Pick<RequiredWays, 'ofAccount'>
  readonly clock: Clock
  present(row: UserRow): Promise<SignedIn>
}

export interface SignIn {
  /**
   * Signs a user in who has proved one factor: password or an account elsewhere. Where a second factor is set the answer
   * is `{require_2fa: true}` and a cookie for the second step. `how` is for the trail: password, a provider's name, or `sso:<slug>`;
   * `at` is the session of an identity provider, which can end this one. Throws AppError('user_cancelled' | 'user_banned' | 'sso_required').
   */
  afterFirst(userId: number, client: ConsoleClient, how: string, at?: ProviderSession): Promise<SignInAnswer>
  /** Signs a user in whose proof counts as both factors. `how` is for the trail: the name of the way. */
  afterBoth(userId: number, client: ConsoleClient, how: string): Promise<SignInAnswer>
  /**
   * The second step: an authenticator's code or a recovery code. `step` is the cookie's value. Throws
   * AppError('second_step_expired' | 'second_factor_wrong' | 'second_factor_throttled').
   */
  finish(step: string | undefined, code: string, client: ConsoleClient): Promise<SignInAnswer>
}

/** Holds the second step of a sign-in in the browser that began it. */
export const secondStepCookie = 'second_step'
const secondStepSeconds = 300
const purpose = 'second_step'

const pending = z.object({ stamp: z.string(), how: z.string(), at: providerSession.optional() })

/** Steps after a person has proved who they are: the second step, or a session. */
export const createSignIn = (parts: SignInParts): SignIn => {
  const { users, sessions, challenges } = parts

  const usable = async (userId: number): Promise<UserRow> => {
    const row = await users.byId(userId)
    if (row === undefined) throw new AppError('user_cancelled')
    if (row.status !== userStatus.enabled) throw new AppError('user_banned')
    return row
  }

  const assertWay = async (row: UserRow, how: string): Promise<void> => {
    const required = await parts.requiredWays.ofAccount(row)
    if (required !== undefined && how !== `sso:${required.slug}`) throw ssoRequired(required)
  }

  /** Changes with the password, which ends a sign-in that is half done. */
  const stampOf = (row: UserRow): string => parts.secrets.digest('proof', row.password)

  const enter = async (
    row: UserRow,
    client: ConsoleClient,
    how: string,
    at?: ProviderSession,
  ): Promise<SignInAnswer> => {
    // A new session id on sign-in prevents session fixation.
    if (client.sessionId !== undefined) await sessions.end(client.sessionId)
    const cookie = await sessions.start(row.id, client, at)
    const now = unixSeconds(parts.clock)
    await users.signedIn(row.id, now)
    await parts.proved(row.id, client)
    await parts.trail.started(row, client, how)
    return { data: await parts.present({ ...row, last_login_time: now }), cookies: [cookie] }
  }

  const askSecond = async (row: UserRow, how: string, at?: ProviderSession): Promise<SignInAnswer> => {
    const data = { stamp: stampOf(row), how, ...(at === undefined ? {} : { at }) }
    const id = await challenges.begin({ purpose, browser: '', userId: row.id, data, seconds: secondStepSeconds })
    const cookie = { name: secondStepCookie, value: id, maxAgeSeconds: secondStepSeconds }
    return { data: { require_2fa: true }, cookies: [cookie] }
  }

  return {
    async afterFirst(userId, client, how, at) {
      const row = await usable(userId)
      await assertWay(row, how)
      return (await parts.secondFactor.isOn(row.id)) ? askSecond(row, how, at) : enter(row, client, how, at)
    },

    async afterBoth(userId, client, how) {
      const row = await usable(userId)
      await assertWay(row, how)
      return enter(row, client, how)
    },

    async finish(step, code, client) {
      const challenge = { id: step ?? '', purpose, browser: '' }
      const begun = await challenges.look(challenge, pending)
      if (begun === undefined) throw new AppError('second_step_expired')
      const row = await usable(begun.userId)
      if (begun.data.stamp !== stampOf(row)) throw new AppError('second_step_expired')
      await parts.secondStep.check(row.id, code, client).catch(async (error: unknown) => {
        await parts.trail.refused(row, client, 'second factor')
        throw error
      })
      if ((await challenges.take(challenge, pending)) === undefined) throw new AppError('second_step_expired')
      const { how, at } = begun.data
      const { data, cookies } = await enter(row, client, `${how}, second factor`, at)
      return { data, cookies: [...cookies, { name: secondStepCookie, value: undefined, maxAgeSeconds: 0 }] }
    },
  }
}
