import { redemptionStatus } from '@tollgate/contract'
import type { Actor } from '#server/http/actor.ts'
import { AppError } from '#server/lib/app-error.ts'
import { unixSeconds } from '#server/lib/clock.ts'
import { limitKey } from '#server/lib/security/client-address.ts'
import type { RedemptionParts } from './ports.ts'
import { openRedemptionStore, type RedemptionRow } from './store.ts'

export type Redeem = (actor: Actor, text: string) => Promise<number>

/**
 * Redeems a code for its quota units. The code becomes used and the balance grows in one
 * transaction, also when the same code is redeemed concurrently.
 */
export const createRedeem = (parts: RedemptionParts): Redeem => {
  const store = openRedemptionStore(parts.database)

  const usable = async (key: string, now: number): Promise<RedemptionRow> => {
    const code = await store.byKeyHash(parts.secrets.digest('redemption', key))
    if (code === undefined) throw new AppError('redemption_key_invalid')
    if (code.status !== redemptionStatus.unused) throw new AppError('redemption_key_used')
    if (code.expired_time !== 0 && code.expired_time <= now) throw new AppError('redemption_key_expired')
    return code
  }

  /** Value of the code at the moment of its use: it may have been edited since it was found. */
  const spend = async (code: RedemptionRow, userId: number, now: number): Promise<number> => {
    let quota = 0
    const made = await parts.ledger.move({
      id: `redeem:${code.id}`,
      gives: async (trx) => {
        const used = await store.use(trx, code.id, { userId, now })
        if (used === undefined) throw new AppError('redemption_key_used')
        quota = used.quota
        const detail = { redemption_id: code.id }
        return [{ account: 'user', accountId: userId, amount: used.quota, reason: 'redeem', detail }]
      },
    })
    if (!made) throw new AppError('redemption_key_used')
    return quota
  }

  return async (actor, text) => {
    const key = text.trim()
    if (key === '') throw new AppError('redemption_key_missing')
    const keys = { account: String(actor.id), address: limitKey(actor.ip) }
    await parts.throttle.attempt(keys)
    const now = unixSeconds(parts.clock)
    const code = await usable(key, now)
    const quota = await spend(code, actor.id, now)
    await parts.throttle.succeeded(keys)
    const sentence = { code: 'code_redeemed', params: { amount: quota, id: code.id } } as const
    await parts.writeEvent({ userId: actor.id, username: actor.username, text: sentence })
    return quota
  }
}
