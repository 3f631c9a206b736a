import { tokenStatus } from '@tollgate/contract'
import { sql, type Transaction } from 'kysely'
import type { Tables } from '../db/schema.ts'
import { capsCharged } from './caps/spend.ts'
import { type EffectiveCharge, effectiveCharges } from './corrections/effective.ts'
import type { Credit } from './debits.ts'
import { writable } from './tables.ts'

/** A charge that is given back, as a whole or in part, because what it was for did not come. */
export interface Refund {
  /** Unique per charge, so that concurrent refunds pay back once. */
  readonly movement: string
  /** The request that was charged, and perhaps corrected; null when no ledger entry states who paid. */
  readonly requestId: string | null
  /** Payer and amount when `requestId` is null. */
  readonly paid: { readonly userId: number; readonly quota: number }
  /** Quota units that go back at most, of what the request costs at present; all of it where absent. */
  readonly most?: (trx: Transaction<Tables>, charge: EffectiveCharge) => number | Promise<number>
  readonly channelId: number
  readonly detail: Readonly<Record<string, unknown>>
  /** Runs first in the transaction; false when there is nothing left to refund. */
  due(trx: Transaction<Tables>): Promise<boolean>
  /** Runs in the transaction, after that: what the user gets back (0 for what was free), and which token as much. */
  recorded(
    trx: Transaction<Tables>,
    back: { readonly quota: number; readonly tokenId: number | undefined },
  ): Promise<void>
}

/** Entries of a refund, account by account the opposite of its charge; the channel has earned it no longer. */
export const refundEntries = async (trx: Transaction<Tables>, refund: Refund): Promise<readonly Credit[]> => {
  if (!(await refund.due(trx))) return []
  const { detail } = refund
  const entries = (await paidBy(trx, refund)).map(
    ({ account, accountId, amount }): Credit => ({ account, accountId, amount: -amount, reason: 'refund', detail }),
  )
  const quota = entries.find(({ account }) => account === 'user')?.amount ?? 0
  if (quota > 0) await takeFromChannel(trx, refund.channelId, quota)
  const token = entries.find(({ account }) => account === 'token')
  if (token !== undefined) await reviveToken(trx, token)
  await refund.recorded(trx, { quota, tokenId: token?.accountId })
  return entries
}

type Paid = Pick<Credit, 'account' | 'accountId' | 'amount'>

/** Present cost of the request: its charge, or the last correction of it. */
const paidBy = async (trx: Transaction<Tables>, { requestId, paid, most }: Refund): Promise<readonly Paid[]> => {
  const charge =
    requestId === null
      ? { ...paid, tokenId: 0, movement: '', receipt: '' }
      : (await effectiveCharges(trx, [requestId])).get(requestId)
  if (charge === undefined || charge.quota <= 0) return []
  const { userId, tokenId } = charge
  const quota = most === undefined ? charge.quota : Math.min(charge.quota, await most(trx, charge))
  if (quota <= 0) return []
  const own: Paid = { account: 'user', accountId: userId, amount: -quota }
  const caps = requestId === null ? [] : ((await capsCharged(trx, [requestId])).get(requestId) ?? [])
  const ofCaps = caps.map((accountId): Paid => ({ account: 'cap', accountId, amount: -quota }))
  return tokenId === 0 ? [own, ...ofCaps] : [own, { account: 'token', accountId: tokenId, amount: -quota }, ...ofCaps]
}

const takeFromChannel = async (trx: Transaction<Tables>, id: number, quota: number): Promise<void> => {
  await writable(trx)
    .updateTable('channels')
    .set({ used_quota: sql<number>`used_quota - ${sql.lit(quota)}` })
    .where('id', '=', id)
    .execute()
}

/** A token that was switched off because it was spent is not spent any more. */
const reviveToken = async (trx: Transaction<Tables>, { accountId, amount }: Paid): Promise<void> => {
  await trx
    .updateTable('tokens')
    .set({ status: tokenStatus.enabled })
    .where('id', '=', accountId)
    .where('status', '=', tokenStatus.exhausted)
    .where(sql<boolean>`remain_quota + ${sql.lit(amount)} > 0`)
    .execute()
}

/** Names the one refund of a call that paid to keep a content which was deleted early. */
export const cacheRefund = (requestId: string): string => `refund:cache:${requestId}`
