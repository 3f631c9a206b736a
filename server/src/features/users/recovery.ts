import type { Transaction } from 'kysely'
import type { Tables } from '../../db/schema.ts'
import { AppError } from '../../lib/app-error.ts'
import { hashPassword } from '../../lib/security/password.ts'
import type { UserParts } from './parts.ts'
import { checkedPassword } from './rules.ts'
import type { UserStore } from './store.ts'

export interface Recovery {
  readonly userId: number
  readonly password: string
  readonly ip: string
  /** Runs first in the same transaction, e.g. to use a token up; throws to refuse. */
  within(trx: Transaction<Tables>): Promise<void>
}

/**
 * A new password for a verified user: every session and access token ends with the old one.
 * Throws AppError('password_invalid' | 'password_too_long' | 'user_not_found') and what `within` throws.
 */
export type ResetPassword = (recovery: Recovery) => Promise<void>

export const createPasswordReset = (parts: UserParts, store: UserStore): ResetPassword => {
  return async ({ userId, password, ip, within }) => {
    const hash = await hashPassword(checkedPassword(password))
    const row = await store.byId(userId)
    if (row === undefined || row.deleted_at !== null) throw new AppError('user_not_found')
    await parts.database.transaction(async (trx) => {
      await within(trx)
      const change = { password: hash, access_token_hash: null }
      await store.update(trx, userId, change)
      await parts.removeAccessTokens(trx, userId)
      const actor = { id: userId, username: row.username }
      const facts = { before: { password: row.password }, after: { password: hash } }
      await parts.audit.record(
        { actor, action: 'user.password_reset', object: 'user', objectId: userId, ...facts, ip },
        trx,
      )
    })
    await parts.endSessions(userId)
    parts.userChanged(userId)
  }
}
