import type { BodyOf, Confirmation, confirmIdentity, Endpoint } from '@tollgate/contract'
import type { UserRow } from '../../db/schema.ts'
import type { ConsoleClient } from '../../http/client.ts'
import type { ConsoleCaller } from '../../http/route.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Log } from '../../lib/log.ts'
import type { SignInWays } from '../../verification/sign-in-ways.ts'
import type { AccountUsers, SecondFactor } from './ports.ts'
import type { SecondStepGuesses } from './second-step-guesses.ts'
import type { BrowserSessions } from './sessions.ts'

export interface ConfirmationParts {
  readonly users: Pick<AccountUsers, 'byId'>
  readonly sessions: Pick<BrowserSessions, 'confirm' | 'confirmedUntil'>
  readonly secondFactor: Pick<SecondFactor, 'isOn'>
  readonly secondStep: SecondStepGuesses
  readonly signInWays: Pick<SignInWays, 'methodsOf' | 'openAccount'>
  /** Throws AppError('original_password_wrong' | 'login_throttled'). */
  assertPassword(row: UserRow, password: string, client: ConsoleClient): Promise<void>
  readonly log: Log
}

export interface Confirmations {
  /** Checks what `confirm` of an endpoint requires. Throws AppError('confirmation_required' | 'access_token_not_supported'). */
  assert(caller: ConsoleCaller, need: NonNullable<Endpoint['confirm']>): Promise<void>
  state(caller: ConsoleCaller): Promise<Confirmation>
  /** Throws AppError('second_factor_wrong' | 'original_password_wrong' | …) and 'confirmation_impossible'. */
  confirm(caller: ConsoleCaller, body: BodyOf<typeof confirmIdentity>, client: ConsoleClient): Promise<void>
}

/**
 * Fresh proof of who holds a session, for what a stolen cookie must not do: showing secrets and changing how one signs in
 *. Signing in counts as one. A password does not where a second factor is set.
 */
export const createConfirmations = (parts: ConfirmationParts): Confirmations => {
  const proofsOf = async (userId: number): Promise<Omit<Confirmation, 'confirmed_until'>> => {
    const [totp, ways, row] = await Promise.all([
      parts.secondFactor.isOn(userId),
      parts.signInWays.methodsOf(userId),
      parts.users.byId(userId),
    ])
    const hasPassword = row !== undefined && row.password !== ''
    const methods = [...(totp ? ['totp'] : []), ...ways, ...(hasPassword && !totp ? ['password'] : [])]
    return { methods, has_password: hasPassword }
  }

  const isProtected = async (userId: number): Promise<boolean> =>
    (await parts.secondFactor.isOn(userId)) || (await parts.signInWays.openAccount(userId))

  return {
    async assert(caller, need) {
      if (caller.viaAccessToken) {
        if (need === 'always') throw new AppError('access_token_not_supported')
        parts.log.info('access_token_skipped_confirmation', { user_id: caller.id })
        return
      }
      if ((await parts.sessions.confirmedUntil(caller.sessionIdHash)) > 0) return
      if (need === 'always' || (await isProtected(caller.id))) throw new AppError('confirmation_required')
    },

    async state(caller) {
      const [proofs, until] = await Promise.all([
        proofsOf(caller.id),
        parts.sessions.confirmedUntil(caller.sessionIdHash),
      ])
      return { ...proofs, confirmed_until: until }
    },

    async confirm(caller, body, client) {
      if (caller.viaAccessToken) throw new AppError('access_token_not_supported')
      const { methods } = await proofsOf(caller.id)
      if ('code' in body) await parts.secondStep.check(caller.id, body.code, client)
      else {
        const row = await parts.users.byId(caller.id)
        if (row === undefined || !methods.includes('password')) throw new AppError('confirmation_impossible')
        await parts.assertPassword(row, body.password, client)
      }
      await parts.sessions.confirm(caller.sessionIdHash)
    },
  }
}
