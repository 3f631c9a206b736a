import { longestRedemptionName, mostRedemptions } from 'virtual:contract'
import type { Redemption } from '#web/lib/api/contract.ts'
import { timeZone } from '#web/lib/time/time-zone.ts'
import { printPicked, readPicked } from '#web/lib/time/written-moment.ts'
import type { SayRedemption } from './messages.ts'

/** The values of the form. */
export interface RedemptionValues {
  name: string
  quota: number
  count: number
  /** `2026-11-20 20:14` in the chosen zone; empty for never. */
  expiry: string
}

/** The defaults of a new code. */
export const newRedemption: RedemptionValues = { name: '', quota: 100_000, count: 1, expiry: '' }

const day = 86_400
export const expirySpans = { week: 7 * day, month: 30 * day, year: 365 * day } as const

/** Unix seconds as the form shows them, in the chosen zone. */
export const printExpiry = (seconds: number, zone = timeZone()): string =>
  seconds === 0 ? '' : printPicked(seconds, zone)

export const readExpiry = (text: string, zone = timeZone()): number => readPicked(text, zone) ?? 0

export const valuesOf = (code: Redemption): RedemptionValues => ({
  name: code.name,
  quota: code.quota,
  count: 1,
  expiry: printExpiry(code.expired_time),
})

/** Rules of the form. `creating` lets the name be blank. */
export const redemptionRules = (say: SayRedemption, { creating }: { creating: boolean }) => ({
  name: (value: string): string | null => {
    if ([...value.trim()].length > longestRedemptionName) return say('nameTooLong')
    return !creating && value.trim() === '' ? say('nameRequired') : null
  },
  quota: (value: number): string | null => (value < 1 ? say('quotaTooLow') : null),
  count: (value: number): string | null => {
    if (!Number.isInteger(value) || value < 1) return say('countInvalid')
    return value > mostRedemptions ? say('countTooMany', { most: mostRedemptions }) : null
  },
  expiry: (value: string): string | null =>
    value !== '' && readExpiry(value) <= Date.now() / 1000 ? say('expiryPast') : null,
})

/** The name of codes that got none. */
export const nameOr = (name: string, quotaText: string): string =>
  name.trim() || quotaText.slice(0, longestRedemptionName)
