import { type Language, localeOf } from '../i18n.ts'

/** How the site shows quota (status object). */
export interface QuotaDisplay {
  readonly quota_per_unit: number
  readonly display_in_currency: boolean
}

/** Cached formatters: creating one takes a hundred times as long as using it, and a list needs a thousand. */
const made = new Map<string, unknown>()

const once = <T>(kind: string, make: () => T): T => {
  const cached = made.get(kind) as T | undefined
  if (cached !== undefined) return cached
  const fresh = make()
  made.set(kind, fresh)
  return fresh
}

const dollars = (decimals: number): Intl.NumberFormat =>
  once(
    `$${decimals}`,
    () =>
      new Intl.NumberFormat('en-US', {
        style: 'currency',
        currency: 'USD',
        minimumFractionDigits: 2,
        maximumFractionDigits: decimals,
      }),
  )

const numbers = (decimals: number): Intl.NumberFormat =>
  once(`number ${decimals}`, () => new Intl.NumberFormat('en-US', { maximumFractionDigits: decimals }))

/** Decimals that keep three significant digits of a small amount and two of any other. */
const decimalsOf = (amount: number): number => {
  const size = Math.abs(amount)
  if (size === 0 || size >= 1) return 2
  return Math.min(10, Math.max(2, 2 - Math.floor(Math.log10(size))))
}

/** Dollars with enough digits to see small costs: 1204.1 → $1,204.10, 0.0131 → $0.0131, 0.000123 → $0.000123. */
export const formatMoney = (amount: number): string => dollars(decimalsOf(amount)).format(amount)

/** Dollars with every digit that a quota unit can carry. */
const formatExactMoney = (amount: number): string => dollars(10).format(amount)

/** With separators between thousands, and at most three decimals. */
export const formatInteger = (value: number): string => numbers(3).format(value)

const steps = [
  { least: 1e9, unit: 'B' },
  { least: 1e6, unit: 'M' },
  { least: 1e4, unit: 'k', divisor: 1e3 },
] as const

/** 9,999 stays; from 10 thousand k, then M and B with one decimal. */
export const formatCompact = (value: number): string => {
  const size = Math.abs(value)
  // 999,960 would round to 1000.0k: a number that rounds up to the next unit is shown in it.
  const step = steps.find(({ least, unit }) => size >= (unit === 'k' ? least : least * 0.99995))
  if (!step) return numbers(2).format(value)
  const divisor = 'divisor' in step ? step.divisor : step.least
  return `${numbers(1).format(value / divisor)}${step.unit}`
}

/** Quota as currency or as a compact number, as the site is set. */
export const formatQuota = (quota: number, display: QuotaDisplay): string =>
  display.display_in_currency ? formatMoney(quota / display.quota_per_unit) : formatCompact(quota)

/** The same amount without rounding, for hover and copies. */
export const formatExactQuota = (quota: number, display: QuotaDisplay): string =>
  display.display_in_currency ? formatExactMoney(quota / display.quota_per_unit) : formatInteger(quota)

export const formatPercent = (share: number): string =>
  once('%', () => new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 2 })).format(share)

/** Milliseconds as people read them: 840 ms, 1.24 s, 2 min 5 s. */
export const formatDuration = (ms: number): string => {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
}

/** `2026-11-20 20:14:01` in a zone; undefined is the browser's own. */
export const formatDateTime = (unixSeconds: number, zone?: string): string =>
  once(
    `time ${zone ?? ''}`,
    () =>
      new Intl.DateTimeFormat('sv-SE', {
        dateStyle: 'short',
        timeStyle: 'medium',
        ...(zone === undefined ? {} : { timeZone: zone }),
      }),
  ).format(unixSeconds * 1000)

export const formatDate = (unixSeconds: number, zone?: string): string => formatDateTime(unixSeconds, zone).slice(0, 10)

const spans: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** `3 分钟前` / `3 minutes ago`; less than a minute is "now". */
export const formatRelative = (unixSeconds: number, nowSeconds: number, language: Language): string => {
  const distance = unixSeconds - nowSeconds
  const format = once(`ago ${language}`, () => new Intl.RelativeTimeFormat(localeOf(language), { numeric: 'auto' }))
  const span = spans.find(([, seconds]) => Math.abs(distance) >= seconds)
  return span ? format.format(Math.trunc(distance / span[1]), span[0]) : format.format(0, 'second')
}
