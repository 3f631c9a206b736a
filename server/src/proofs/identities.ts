import type { Transaction } from 'kysely'
import type { Database } from '../db/database.ts'
import { isUniqueViolation } from '../db/dialect.ts'
import type { Tables } from '../db/schema.ts'
import { type Clock, unixSeconds } from '../lib/clock.ts'

export type IdentityProvider = 'email' | 'github' | 'oidc' | 'linuxdo' | 'wechat' | 'telegram'

/** The column of `users` that shows an identity. */
export const identityColumn = {
  email: 'email',
  github: 'github_id',
  oidc: 'oidc_id',
  linuxdo: 'linux_do_id',
  wechat: 'wechat_id',
  telegram: 'telegram_id',
} as const satisfies Record<IdentityProvider, string>

export interface Identity {
  readonly provider: IdentityProvider
  /** An id that never changes hands; an e-mail address in lower case. */
  readonly subject: string
}

export interface Identities {
  /** Whose it is; cancelled users keep theirs. */
  ownerOf(identity: Identity): Promise<number | undefined>
  of(userId: number): Promise<Identity[]>
  /**
   * Gives an identity to a user in place of an earlier one of the same provider, and shows it in `users`. Answers false
   * when it belongs to somebody else; then the transaction must be given up.
   */
  bind(trx: Transaction<Tables>, userId: number, identity: Identity): Promise<boolean>
  unbind(trx: Transaction<Tables>, userId: number, provider: IdentityProvider): Promise<void>
}

/** Which account belongs to whom elsewhere: unique per provider and subject, whatever races (server reference §12.3). */
export const openIdentities = (database: Database, clock: Clock): Identities => {
  const remove = async (trx: Transaction<Tables>, userId: number, provider: IdentityProvider): Promise<void> => {
    await trx.deleteFrom('identities').where('user_id', '=', userId).where('provider', '=', provider).execute()
  }
  const show = async (trx: Transaction<Tables>, userId: number, provider: IdentityProvider, subject: string) => {
    await trx
      .updateTable('users')
      .set({ [identityColumn[provider]]: subject })
      .where('id', '=', userId)
      .execute()
  }

  return {
    async ownerOf({ provider, subject }) {
      const row = await database.query
        .selectFrom('identities')
        .select('user_id')
        .where('provider', '=', provider)
        .where('subject', '=', subject)
        .executeTakeFirst()
      return row?.user_id
    },

    async of(userId) {
      const rows = await database.query
        .selectFrom('identities')
        .select(['provider', 'subject'])
        .where('user_id', '=', userId)
        .execute()
      return rows as Identity[]
    },

    async bind(trx, userId, { provider, subject }) {
      await remove(trx, userId, provider)
      try {
        const row = { provider, subject, user_id: userId, created_time: unixSeconds(clock) }
        await trx.insertInto('identities').values(row).execute()
      } catch (error) {
        if (isUniqueViolation(error)) return false
        throw error
      }
      await show(trx, userId, provider, subject)
      return true
    },

    async unbind(trx, userId, provider) {
      await remove(trx, userId, provider)
      await show(trx, userId, provider, '')
    },
  }
}
