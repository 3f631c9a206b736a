import { randomUUID } from 'node:crypto'
import type { Database } from '../../db/database.ts'
import type { Movements } from '../../ledger/movements.ts'
import { AppError } from '../../lib/app-error.ts'
import { randomAlphanumerics } from '../../lib/ids.ts'

export interface InvitationParts {
  readonly database: Pick<Database, 'query'>
  readonly ledger: Pick<Movements, 'move'>
  /** Option QuotaPerUnit: the least that is transferred. */
  quotaPerUnit(): number
  /** Quota as messages write it, e.g. `＄1.000000 额度`. */
  amountText(quota: number): string
  /** The same without the Chinese word for quota, e.g. `＄1.000000`. */
  bareAmountText(quota: number): string
}

export interface Invitations {
  /** The user's invite code; makes one for accounts that never had any. */
  code(userId: number): Promise<string>
  /** Moves quota units from what invitations earned to the balance, both in one movement. */
  transfer(userId: number, quota: number): Promise<void>
}

const codeLength = 4

export const createInvitations = (parts: InvitationParts): Invitations => {
  const { query } = parts.database

  const codeOf = async (userId: number): Promise<string> => {
    const row = await query.selectFrom('users').select('aff_code').where('id', '=', userId).executeTakeFirst()
    if (row === undefined) throw new AppError('user_not_found')
    return row.aff_code
  }

  const isTaken = async (code: string): Promise<boolean> =>
    (await query.selectFrom('users').select('id').where('aff_code', '=', code).limit(1).executeTakeFirst()) !==
    undefined

  /** A code that is taken is drawn again, one longer each time. */
  const freeCode = async (): Promise<string> => {
    for (let length = codeLength; ; length += 1) {
      const code = randomAlphanumerics(length)
      if (!(await isTaken(code))) return code
    }
  }

  return {
    async code(userId) {
      const code = await codeOf(userId)
      if (code !== '') return code
      // Two windows may ask at once: the first code stays.
      const made = query.updateTable('users').set({ aff_code: await freeCode() })
      await made.where('id', '=', userId).where('aff_code', '=', '').execute()
      return codeOf(userId)
    },

    async transfer(userId, quota) {
      const least = parts.quotaPerUnit()
      if (quota < least) {
        const params = { amount: parts.amountText(least), bare: parts.bareAmountText(least) }
        throw new AppError('aff_transfer_minimum', { params })
      }
      const common = { accountId: userId, amount: quota, reason: 'transfer' } as const
      const takes = [{ ...common, account: 'aff' }] as const
      const gives = [{ ...common, account: 'user' }] as const
      try {
        await parts.ledger.move({ id: `transfer:${randomUUID()}`, takes, gives })
      } catch (cause) {
        const short = cause instanceof AppError && cause.code === 'balance_too_small'
        throw short ? new AppError('aff_quota_short', { cause }) : cause
      }
    },
  }
}
