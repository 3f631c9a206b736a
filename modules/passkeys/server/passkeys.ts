import type { Passkey } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { isUniqueViolation } from '#server/db/dialect.ts'
import type { Tables } from '#server/db/schema.ts'
import type { Trace } from '#server/db/trace.ts'
import { AppError } from '#server/lib/app-error.ts'
import { type Clock, unixSeconds } from '#server/lib/clock.ts'
import type { Log } from '#server/lib/log.ts'
import type { Secrets } from '#server/lib/security/secrets.ts'
import type { Challenges } from '#server/verification/challenges.ts'
import {
  type AuthenticationAnswer,
  authenticationOptions,
  type Ceremony,
  ceremony,
  ceremonySeconds,
  type RegistrationAnswer,
  registrationOptions,
  userHandle,
  verifiedAuthentication,
  verifiedRegistration,
} from './ceremonies.ts'
import type { Party } from './party.ts'
import { createPasskeyStore, type PasskeyRow } from './store.ts'

/** User who adds, removes or confirms with passkeys, and the session. */
export interface PasskeyOwner {
  readonly id: number
  readonly username: string
  readonly sessionIdHash: string
  readonly ip: string
}

export interface PasskeyParts {
  readonly database: Database
  readonly secrets: Secrets
  readonly challenges: Challenges
  readonly audit: { record(trace: Trace, trx?: Transaction<Tables>): Promise<void> }
  siteName(): string
  readonly clock: Clock
  readonly log: Log
}

/** A ceremony that was begun: what the browser needs, and what it must bring back. */
export interface PasskeyCeremony {
  readonly options: Record<string, unknown>
  readonly id: string
}

export interface Passkeys {
  list(userId: number): Promise<Passkey[]>
  beginAdding(owner: PasskeyOwner, party: Party): Promise<PasskeyCeremony>
  /** Throws AppError('passkey_failed' | 'passkey_taken' | 'passkey_limit'). */
  add(
    owner: PasskeyOwner,
    id: string | undefined,
    registration: { name: string; answer: RegistrationAnswer },
  ): Promise<Passkey>
  /** Throws AppError('not_found'). */
  rename(owner: PasskeyOwner, id: number, name: string): Promise<void>
  remove(owner: PasskeyOwner, id: number): Promise<void>
  beginLogin(party: Party): Promise<PasskeyCeremony>
  /** Id of the owner. Throws AppError('passkey_failed' | 'passkey_unknown'). */
  login(id: string | undefined, answer: AuthenticationAnswer): Promise<number>
  beginConfirming(owner: PasskeyOwner, party: Party): Promise<PasskeyCeremony>
  /** Throws AppError('passkey_failed' | 'passkey_unknown'). */
  confirm(owner: PasskeyOwner, id: string | undefined, answer: AuthenticationAnswer): Promise<void>
}

const most = 20

/** Passkeys (WebAuthn): discoverable, with user verification, so that one counts as both factors. */
export const openPasskeys = (parts: PasskeyParts): Passkeys => {
  const { database, secrets, challenges } = parts
  const store = createPasskeyStore(database)
  const hashOf = (credentialId: string): string => secrets.digest('proof', `passkey ${credentialId}`)
  const now = (): number => unixSeconds(parts.clock)

  const keep = (kept: { purpose: string; browser: string; userId?: number; data: Ceremony }): Promise<string> =>
    challenges.begin({ ...kept, seconds: ceremonySeconds })

  const back = async (id: string | undefined, purpose: string, browser: string) => {
    const begun = await challenges.take({ id: id ?? '', purpose, browser }, ceremony)
    if (begun === undefined) throw new AppError('passkey_failed')
    return begun
  }

  const present = (row: Pick<PasskeyRow, 'id' | 'name' | 'created_time' | 'last_used_time'>): Passkey => ({
    id: row.id,
    name: row.name,
    created_time: row.created_time,
    last_used_time: row.last_used_time,
  })

  const record = (
    owner: PasskeyOwner,
    action: string,
    facts: Pick<Trace, 'before' | 'after'>,
    trx: Transaction<Tables>,
  ) =>
    parts.audit.record(
      {
        actor: { id: owner.id, username: owner.username },
        action: `user.${action}`,
        object: 'user',
        objectId: owner.id,
        ...facts,
        ip: owner.ip,
      },
      trx,
    )

  /** Uses a passkey and answers whose it is. */
  const use = async (begun: Ceremony, answer: AuthenticationAnswer): Promise<number> => {
    const row = await store.byCredential(hashOf(answer.id))
    if (row === undefined) throw new AppError('passkey_unknown')
    const handle = Buffer.from(userHandle(secrets, row.user_id)).toString('base64url')
    if ((answer.response.userHandle ?? handle) !== handle) throw new AppError('passkey_failed')
    const counter = await verifiedAuthentication(begun, answer, row).catch((error: unknown) => {
      parts.log.warn('passkey_refused', { user_id: row.user_id, passkey_id: row.id, error })
      throw error
    })
    if (!(await store.used(row, counter, now()))) throw new AppError('passkey_failed')
    return row.user_id
  }

  return {
    list: async (userId) => (await store.of(userId)).map(present),

    async beginAdding(owner, party) {
      const existing = await store.of(owner.id)
      if (existing.length >= most) throw new AppError('passkey_limit', { params: { count: most } })
      const user = { name: owner.username, displayName: owner.username, handle: userHandle(secrets, owner.id) }
      const options = await registrationOptions({ party, siteName: parts.siteName(), user, existing })
      const data = { challenge: options.challenge, party }
      const id = await keep({ purpose: 'passkey_add', browser: owner.sessionIdHash, userId: owner.id, data })
      return { options: { ...options }, id }
    },

    async add(owner, id, { name, answer }) {
      const { data } = await back(id, 'passkey_add', owner.sessionIdHash)
      const made = await verifiedRegistration(data, answer)
      const row = {
        user_id: owner.id,
        credential_hash: hashOf(made.id),
        credential_id: made.id,
        public_key: Buffer.from(made.publicKey).toString('base64url'),
        counter: made.counter,
        transports: JSON.stringify(made.transports ?? []),
        name,
        created_time: now(),
        last_used_time: 0,
      }
      const write = database.transaction(async (trx) => {
        await record(owner, 'passkey_add', { after: { passkey_name: name } }, trx)
        return store.insert(trx, row)
      })
      const rowId = await write.catch((cause: unknown) => {
        throw isUniqueViolation(cause) ? new AppError('passkey_taken', { cause }) : cause
      })
      return present({ ...row, id: rowId })
    },

    async rename(owner, id, name) {
      if (!(await store.rename(owner.id, id, name))) throw new AppError('not_found')
    },

    async remove(owner, id) {
      const row = (await store.of(owner.id)).find((entry) => entry.id === id)
      if (row === undefined) throw new AppError('not_found')
      await database.transaction(async (trx) => {
        await store.remove(trx, owner.id, id)
        await record(owner, 'passkey_remove', { before: { passkey_name: row.name } }, trx)
      })
    },

    async beginLogin(party) {
      const options = await authenticationOptions(party, [])
      const id = await keep({ purpose: 'passkey_login', browser: '', data: { challenge: options.challenge, party } })
      return { options: { ...options }, id }
    },

    async login(id, answer) {
      const { data } = await back(id, 'passkey_login', '')
      return use(data, answer)
    },

    async beginConfirming(owner, party) {
      const options = await authenticationOptions(party, await store.of(owner.id))
      const data = { challenge: options.challenge, party }
      const id = await keep({ purpose: 'passkey_confirm', browser: owner.sessionIdHash, userId: owner.id, data })
      return { options: { ...options }, id }
    },

    async confirm(owner, id, answer) {
      const { data } = await back(id, 'passkey_confirm', owner.sessionIdHash)
      if ((await use(data, answer)) !== owner.id) throw new AppError('passkey_unknown')
    },
  }
}
