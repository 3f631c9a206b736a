import { z } from 'zod'
import type { JsonObject } from '../../dialects/conversation/json.ts'
import type { Caller } from '../ports.ts'

/** What a call paid to keep a content from one moment to another (milliseconds since 1970). */
export interface StoragePayment {
  readonly requestId: string
  /** Quota units. */
  readonly quota: number
  readonly from: number
  readonly to: number
}

/** A part of a call's charge that goes back, because its content was deleted early. */
export interface StorageRefund {
  readonly caller: Pick<Caller, 'userId'>
  readonly channelId: number
  /** The content. */
  readonly name: string
  readonly requestId: string
  readonly quota: number
}

/** In what is stored of a content, beside the provider's members. */
const member = 'tollgate_payments'

const paymentsSchema = z.array(z.object({ requestId: z.string(), quota: z.number(), from: z.number(), to: z.number() }))

/** What was paid for a stored content; nothing for one of an earlier version. */
export const paymentsOf = (stored: JsonObject): readonly StoragePayment[] =>
  paymentsSchema.safeParse(stored[member]).data ?? []

export const withPayments = (members: JsonObject, payments: readonly StoragePayment[]): JsonObject => ({
  ...members,
  [member]: payments,
})

/** The provider's members alone. */
export const withoutPayments = ({ [member]: _, ...members }: JsonObject): JsonObject => members

/** When the time ends that was paid for; `now` where it is over. */
export const paidUntil = (payments: readonly StoragePayment[], now: number): number =>
  Math.max(now, ...payments.map(({ to }) => to))

/** What goes back of a payment when its content is deleted now; rounded down. */
export const unusedQuota = ({ quota, from, to }: StoragePayment, now: number): number =>
  to <= Math.max(now, from) ? 0 : Math.floor((quota * (to - Math.max(now, from))) / (to - from))
