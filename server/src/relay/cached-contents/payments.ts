import { z } from 'zod'
import { receiptOf } from '../../billing/cost.ts'
import type { Price } from '../../billing/price.ts'
import { noUsage, type Usage } from '../../billing/usage.ts'
import type { JsonObject } from '../../dialects/conversation/json.ts'
import type { Caller } from '../ports.ts'

/** Payment of a call for storing a content from one moment to another (milliseconds since 1970). */
export interface StoragePayment {
  readonly requestId: string
  /** Quota units. */
  readonly quota: number
  readonly from: number
  readonly to: number
}

/** Part of a call's charge that is refunded, because its content was deleted early. */
export interface StorageRefund {
  readonly caller: Pick<Caller, 'userId'>
  readonly channelId: number
  /** The content. */
  readonly name: string
  readonly requestId: string
  readonly quota: number
}

/** Member of the stored content, beside the provider's members. */
const member = 'tollgate_payments'

const paymentsSchema = z.array(z.object({ requestId: z.string(), quota: z.number(), from: z.number(), to: z.number() }))

/** Payments for a stored content; empty for one of an earlier version. */
export const paymentsOf = (stored: JsonObject): readonly StoragePayment[] =>
  paymentsSchema.safeParse(stored[member]).data ?? []

/** The provider's members with the payments added. */
export const withPayments = (members: JsonObject, payments: readonly StoragePayment[]): JsonObject => ({
  ...members,
  [member]: payments,
})

/** The provider's members alone. */
export const withoutPayments = ({ [member]: _, ...members }: JsonObject): JsonObject => members

/** End of the paid time (milliseconds since 1970); `now` where it is over. */
export const paidUntil = (payments: readonly StoragePayment[], now: number): number =>
  Math.max(now, ...payments.map(({ to }) => to))

/** Quota units to refund when the content is deleted at `now`; rounded down. */
export const unusedQuota = ({ quota, from, to }: StoragePayment, now: number): number =>
  to <= Math.max(now, from) ? 0 : Math.floor((quota * (to - Math.max(now, from))) / (to - from))

/** In the option ToolPrices: tokens that a provider keeps, by the hour. */
export const storageTool = 'cache_storage'

const hourMs = 3_600_000

/** Usage of storing `tokens` for `lifeMs` milliseconds, in token-hours, rounded up. */
export const storageOf = (tokens: number, lifeMs: number): Usage => {
  const hours = Math.ceil((tokens * Math.max(0, lifeMs)) / hourMs)
  return hours === 0 ? noUsage : { ...noUsage, tools: { [storageTool]: hours } }
}

/** Quota units of storage in the charge for this usage. */
export const storageQuota = (usage: Usage, price: Price): number => {
  const { tools: _, ...rest } = usage
  const all = receiptOf(usage, price, { estimated: false }).quota
  return Math.max(0, all - receiptOf(rest, price, { estimated: false }).quota)
}
