import type { SecondFactorState } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/dialect.ts'
import type { Tables } from '../../db/schema.ts'
import type { Trace } from '../../db/trace.ts'
import type { RankedActor } from '../../http/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import type { Secrets } from '../../lib/security/secrets.ts'
import { enrolmentUri, looksLikeTotp, newRecoveryCodes, newSecret, plainCode, stepOf } from './codes.ts'
import { createSecondFactorStore, type SecondFactorRow } from './store.ts'

export interface SecondFactorParts {
  readonly database: Database
  readonly secrets: Secrets
  readonly audit: { record(trace: Trace, trx?: Transaction<Tables>): Promise<void> }
  /** Name of the site, shown by authenticators. */
  issuer(): string
  hasAccessToken(userId: number): Promise<boolean>
  /** Throws AppError when the actor may not change this user. */
  assertMayReset(actor: RankedActor, userId: number): Promise<void>
  /** Removes whatever else counts as a second factor. */
  removeSignInWays(trx: Transaction<Tables>, userId: number): Promise<void>
  endSessions(userId: number): Promise<void>
  readonly clock: Clock
}

export interface SecondFactors {
  isOn(userId: number): Promise<boolean>
  /**
   * Uses an authenticator's code or a recovery code, each once; whoever asks counts the guesses. Throws
   * AppError('second_factor_wrong').
   */
  check(userId: number, code: string): Promise<void>
  state(userId: number): Promise<SecondFactorState>
  /** A secret that counts once `enable` has proved it. Throws AppError('second_factor_on'). */
  begin(actor: RankedActor): Promise<{ secret: string; uri: string }>
  /** Answers the recovery codes. Throws AppError('second_factor_on' | 'second_factor_wrong'). */
  enable(actor: RankedActor, code: string): Promise<string[]>
  disable(actor: RankedActor): Promise<void>
  /** Throws AppError('second_factor_off'). */
  replaceCodes(actor: RankedActor): Promise<string[]>
  /** Removes every second factor of a user who lost the device, and ends the sessions. */
  reset(actor: RankedActor, userId: number): Promise<void>
}

/** Time-based one-time passwords and recovery codes of users. */
export const openSecondFactors = (parts: SecondFactorParts): SecondFactors => {
  const { database, secrets } = parts
  const store = createSecondFactorStore(database)
  const now = (): number => unixSeconds(parts.clock)
  const secretOf = (row: SecondFactorRow): string => secrets.decrypt('second_factor', row.secret_cipher)
  const hashOf = (code: string): string => secrets.digest('second_factor', plainCode(code))

  const record = (
    actor: RankedActor,
    { userId, action }: { readonly userId: number; readonly action: string },
    facts: Facts,
    trx: Transaction<Tables>,
  ) =>
    parts.audit.record(
      {
        actor: { id: actor.id, username: actor.username },
        action: `user.${action}`,
        object: 'user',
        objectId: userId,
        ...facts,
        ip: actor.ip,
      },
      trx,
    )

  const isRight = async (row: SecondFactorRow, typed: string): Promise<boolean> => {
    const code = plainCode(typed)
    if (!looksLikeTotp(code)) return store.useCode(row.user_id, hashOf(code))
    const step = stepOf(secretOf(row), code, parts.clock())
    return step !== undefined && store.useStep(row.user_id, step)
  }

  const isOn = async (userId: number): Promise<boolean> => ((await store.of(userId))?.confirmed_time ?? 0) > 0

  const writeCodes = async (trx: Transaction<Tables>, userId: number): Promise<string[]> => {
    const codes = newRecoveryCodes()
    await store.replaceCodes(trx, userId, codes.map(hashOf), now())
    return codes
  }

  return {
    isOn,

    async check(userId, code) {
      const row = await store.of(userId)
      if (row === undefined || row.confirmed_time === 0 || !(await isRight(row, code)))
        throw new AppError('second_factor_wrong')
    },

    async state(userId) {
      const [enabled, left, access_token] = await Promise.all([
        isOn(userId),
        store.codesLeft(userId),
        parts.hasAccessToken(userId),
      ])
      return { enabled, recovery_codes_left: left, access_token }
    },

    async begin(actor) {
      const secret = newSecret()
      const row = { userId: actor.id, secretCipher: secrets.encrypt('second_factor', secret), now: now() }
      await store.begin(row).catch((cause: unknown) => {
        throw isUniqueViolation(cause) ? new AppError('second_factor_on', { cause }) : cause
      })
      return { secret, uri: enrolmentUri({ secret, issuer: parts.issuer(), account: actor.username }) }
    },

    async enable(actor, code) {
      const row = await store.of(actor.id)
      if (row === undefined) throw new AppError('second_factor_wrong')
      if (row.confirmed_time > 0) throw new AppError('second_factor_on')
      const step = stepOf(secretOf(row), plainCode(code), parts.clock())
      if (step === undefined) throw new AppError('second_factor_wrong')
      return database.transaction(async (trx) => {
        if (!(await store.enable(trx, row, step, now()))) throw new AppError('second_factor_on')
        await record(actor, { userId: actor.id, action: 'second_factor_on' }, { after: { second_factor: 'on' } }, trx)
        return writeCodes(trx, actor.id)
      })
    },

    disable: (actor) =>
      database.transaction(async (trx) => {
        await store.remove(trx, actor.id)
        await record(actor, { userId: actor.id, action: 'second_factor_off' }, { before: { second_factor: 'on' } }, trx)
      }),

    async replaceCodes(actor) {
      if (!(await isOn(actor.id))) throw new AppError('second_factor_off')
      return database.transaction(async (trx) => {
        await record(
          actor,
          { userId: actor.id, action: 'recovery_codes' },
          { after: { recovery_codes: 'replaced' } },
          trx,
        )
        return writeCodes(trx, actor.id)
      })
    },

    async reset(actor, userId) {
      await parts.assertMayReset(actor, userId)
      await database.transaction(async (trx) => {
        await store.remove(trx, userId)
        await parts.removeSignInWays(trx, userId)
        await record(actor, { userId, action: 'second_factor_reset' }, { before: { second_factor: 'set' } }, trx)
      })
      await parts.endSessions(userId)
    },
  }
}

type Facts = Pick<Trace, 'before' | 'after'>
