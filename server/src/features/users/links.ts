import type { Transaction } from 'kysely'
import type { Tables, UserRow } from '../../db/schema.ts'
import { AppError } from '../../lib/app-error.ts'
import { type Identity, type IdentityIssuer, identityColumn, shownColumn } from '../../verification/identities.ts'
import { taken } from './create.ts'
import type { UserParts } from './parts.ts'
import type { Changer } from './save.ts'
import type { UserStore } from './store.ts'

type Within = (trx: Transaction<Tables>) => Promise<void>

/** Identities of a user elsewhere, changed by the user. E-mail addresses are given in lower case. */
export interface UserLinks {
  /** User who has proved to read this address; cancelled users are unknown. */
  emailOwner(email: string): Promise<UserRow | undefined>
  /** True if a user has the address; cancelled ones keep what they proved. */
  emailTaken(email: string): Promise<boolean>
  /**
   * Links an identity in place of an earlier one of the same provider. `within` runs first in the same transaction, e.g. to
   * use a code up. Throws AppError('email_taken' | 'identity_taken') and what `within` throws.
   */
  link(by: Changer, identity: Identity, within?: Within): Promise<void>
  /** Throws AppError('last_sign_in') when no password, other identity or other way opens the account. */
  unlink(by: Changer, provider: IdentityIssuer): Promise<void>
}

export const createUserLinks = (parts: UserParts, store: UserStore): UserLinks => {
  const { database, identities } = parts

  const shownOf = async (userId: number, provider: IdentityIssuer): Promise<string> => {
    const column = shownColumn(provider)
    if (column !== undefined) return (await store.byId(userId))?.[column] ?? ''
    return (await identities.of(userId)).find((identity) => identity.provider === provider)?.name ?? ''
  }

  const record = (
    trx: Transaction<Tables>,
    by: Changer,
    { action, provider, from, to }: { action: string; provider: IdentityIssuer; from: string; to: string },
  ): Promise<void> => {
    const { ip, ...actor } = by
    const column = shownColumn(provider) ?? provider
    const facts = { before: { [column]: from }, after: { [column]: to } }
    return parts.audit.record({ actor, action, object: 'user', objectId: by.id, ...facts, ip }, trx)
  }

  /** Asked when the link is gone and the user's row is locked: of two links removed at once, one stays. */
  const assertOtherWayIn = async (trx: Transaction<Tables>, userId: number): Promise<void> => {
    const row = await trx.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst()
    if (row === undefined || row.password !== '') return
    if (Object.values(identityColumn).some((column) => row[column] !== '')) return
    const others = trx.selectFrom('identities').select('id').where('user_id', '=', userId).limit(1)
    if ((await others.executeTakeFirst()) !== undefined) return
    if (!(await parts.signInWays.openAccount(userId, trx))) throw new AppError('last_sign_in')
  }

  return {
    async emailOwner(email) {
      const id =
        (await identities.ownerOf({ provider: 'email', subject: email })) ??
        (await identities.earlierOwner('email', email))
      const row = id === undefined ? undefined : await store.byId(id)
      return row?.deleted_at === null ? row : undefined
    },

    async emailTaken(email) {
      const owner = await identities.ownerOf({ provider: 'email', subject: email })
      return owner !== undefined || (await store.byEmail(email)).length > 0
    },

    async link(by, identity, within) {
      const { provider, subject, shown = subject, name = shown } = identity
      const to = shownColumn(provider) === undefined ? name : shown
      const from = await shownOf(by.id, provider)
      await database.transaction(async (trx) => {
        await within?.(trx)
        if (!(await identities.bind(trx, by.id, identity))) throw taken(identity)
        await record(trx, by, { action: 'user.link', provider, from, to })
      })
      parts.userChanged(by.id)
    },

    async unlink(by, provider) {
      const from = await shownOf(by.id, provider)
      await database.transaction(async (trx) => {
        await identities.unbind(trx, by.id, provider)
        await assertOtherWayIn(trx, by.id)
        if (from !== '') await record(trx, by, { action: 'user.unlink', provider, from, to: '' })
      })
      parts.userChanged(by.id)
    },
  }
}
