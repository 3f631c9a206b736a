import type { Transaction } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Tables } from '../db/schema.ts'
import { type Clock, unixSeconds } from '../lib/clock.ts'

/** Providers whose identity a column of `users` shows, too. */
type ShownProvider = 'email' | 'github' | 'oidc' | 'linuxdo' | 'wechat' | 'telegram'

/** `idp:7` is the identity provider 7 of the site or of an organisation. */
export type IdentityIssuer = ShownProvider | 'discord' | `idp:${number}`

/** The column of `users` that shows an identity. */
export const identityColumn = {
  email: 'email',
  github: 'github_id',
  oidc: 'oidc_id',
  linuxdo: 'linux_do_id',
  wechat: 'wechat_id',
  telegram: 'telegram_id',
} as const satisfies Record<ShownProvider, string>

/** Undefined for a provider without a column of its own. */
export const shownColumn = (provider: IdentityIssuer) =>
  Object.hasOwn(identityColumn, provider) ? identityColumn[provider as ShownProvider] : undefined

export interface Identity {
  readonly provider: IdentityIssuer
  /** An id that never changes hands; an e-mail address in lower case. */
  readonly subject: string
  /** Value in the column of `users`, if it is not the subject. */
  readonly shown?: string
  /** Name by which its owner knows it; the shown value if absent. */
  readonly name?: string
}

export interface LinkedIdentity {
  readonly provider: IdentityIssuer
  readonly subject: string
  readonly name: string
  /** Unix seconds. */
  readonly created_time: number
}

export interface Identities {
  /** Owner of the identity; cancelled users still own theirs. */
  ownerOf(identity: Identity): Promise<number | undefined>
  /**
   * Owner in a product that stored the value only in the column of `users`: a user who has no identity of this provider yet. Undefined
   * if several users, or several active ones, share the value.
   */
  earlierOwner(provider: IdentityIssuer, shown: string): Promise<number | undefined>
  of(userId: number): Promise<LinkedIdentity[]>
  /**
   * Gives an identity to a user in place of an earlier one of the same provider, and shows it in `users`. Answers false
   * when it belongs to another user; then the transaction must be given up.
   */
  bind(trx: Transaction<Tables>, userId: number, identity: Identity): Promise<boolean>
  unbind(trx: Transaction<Tables>, userId: number, provider: IdentityIssuer): Promise<void>
}

const longestName = 255

/** Links accounts of login providers to users: unique per provider and subject, whatever races. */
export const openIdentities = (database: Database, clock: Clock): Identities => {
  const owner = async (on: Database['query'], { provider, subject }: Identity): Promise<number | undefined> => {
    const row = await on
      .selectFrom('identities')
      .select('user_id')
      .where('provider', '=', provider)
      .where('subject', '=', subject)
      .executeTakeFirst()
    return row?.user_id
  }
  const remove = async (trx: Transaction<Tables>, userId: number, provider: IdentityIssuer): Promise<void> => {
    await trx.deleteFrom('identities').where('user_id', '=', userId).where('provider', '=', provider).execute()
  }
  const show = async (trx: Transaction<Tables>, userId: number, provider: IdentityIssuer, shown: string) => {
    const column = shownColumn(provider)
    if (column === undefined) return
    await trx
      .updateTable('users')
      .set({ [column]: shown })
      .where('id', '=', userId)
      .execute()
  }

  return {
    ownerOf: (identity) => owner(database.query, identity),

    async earlierOwner(provider, shown) {
      const column = shownColumn(provider)
      if (shown === '' || column === undefined) return undefined
      const rows = await database.query
        .selectFrom('users')
        .select(['id', 'deleted_at'])
        .where(column, '=', shown)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('identities')
                .select('identities.id')
                .whereRef('identities.user_id', '=', 'users.id')
                .where('identities.provider', '=', provider),
            ),
          ),
        )
        .limit(100)
        .execute()
      const living = rows.filter((row) => row.deleted_at === null)
      const [only, another] = living.length > 0 ? living : rows
      return another === undefined ? only?.id : undefined
    },

    async of(userId) {
      const rows = await database.query
        .selectFrom('identities')
        .select(['provider', 'subject', 'name', 'created_time'])
        .where('user_id', '=', userId)
        .orderBy('id')
        .execute()
      return rows as LinkedIdentity[]
    },

    async bind(trx, userId, identity) {
      const { provider, subject, shown = subject, name = shown } = identity
      const before = await owner(trx, identity)
      if (before !== undefined && before !== userId) return false
      await remove(trx, userId, provider)
      const row = {
        provider,
        subject,
        user_id: userId,
        name: name.slice(0, longestName),
        created_time: unixSeconds(clock),
      }
      // A row that another transaction added in this moment is left alone, and the transaction stays usable on every engine.
      await database.insertMany('identities', [row], { trx, skipExisting: true })
      if ((await owner(trx, identity)) !== userId) return false
      await show(trx, userId, provider, shown)
      return true
    },

    async unbind(trx, userId, provider) {
      await remove(trx, userId, provider)
      await show(trx, userId, provider, '')
    },
  }
}
