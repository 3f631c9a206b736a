import { type ConsoleLanguage, localeOf } from '../i18n.ts'

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

const dollars = (most: number, least = 2): Intl.NumberFormat =>
  once(
    `$${least}-${most}`,
    () =>
      new Intl.NumberFormat('en-US', {
        style: 'currency',
        currency: 'USD',
        minimumFractionDigits: least,
        maximumFractionDigits: most,
      }),
  )

/** The minus sign of typography stands before the currency sign: −$4.10. */
const withMinus = (text: string): string => text.replace('-', '−')

const numbers = (decimals: number): Intl.NumberFormat =>
  once(`number ${decimals}`, () => new Intl.NumberFormat('en-US', { maximumFractionDigits: decimals }))

const cent = 0.01

/** Decimals that keep so many significant digits: at least two decimals, and at most ten, which every quota unit fits. */
const decimalsFor = (size: number, digits: number): number =>
  Math.min(10, Math.max(2, digits - 1 - Math.floor(Math.log10(size))))

/** Decimals of a sum: two, and below a cent as many as show four significant digits. */
const sumDecimals = (amount: number): number => {
  const size = Math.abs(amount)
  return size === 0 || size >= cent ? 2 : decimalsFor(size, 4)
}

/** The same, and below a dollar three significant digits. */
const decimalsOf = (amount: number): number => {
  const size = Math.abs(amount)
  return size < cent || size >= 1 ? sumDecimals(amount) : decimalsFor(size, 3)
}

/** Dollars with enough digits to see small costs: 1204.1 → $1,204.10, 0.0131 → $0.0131, 0.000123 → $0.000123. */
export const formatMoney = (amount: number): string => withMinus(dollars(decimalsOf(amount)).format(amount))

/** Dollars with every digit that a quota unit can carry. */
const formatExactMoney = (amount: number): string => withMinus(dollars(10).format(amount))

/** A sum in dollars with two decimals; below a cent with four significant digits: 1.467 → $1.47, 0.0000124 → $0.0000124. */
export const formatSum = (amount: number): string => withMinus(dollars(sumDecimals(amount)).format(amount))

/** The price of one call in dollars: six decimals, so that the points stand under each other. */
export const formatCallMoney = (amount: number): string => withMinus(dollars(6, 6).format(amount))

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

/** Quota as currency with the digits that matter, or as a compact number, as the site is set: for axes and inputs. */
export const formatQuota = (quota: number, display: QuotaDisplay): string =>
  display.display_in_currency ? formatMoney(quota / display.quota_per_unit) : formatCompact(quota)

/** A sum of quota: two decimals, or a compact number. */
export const formatQuotaSum = (quota: number, display: QuotaDisplay): string =>
  display.display_in_currency ? formatSum(quota / display.quota_per_unit) : formatCompact(quota)

/** The quota of one call: six decimals, or whole units. */
export const formatCallQuota = (quota: number, display: QuotaDisplay): string =>
  display.display_in_currency ? formatCallMoney(quota / display.quota_per_unit) : formatInteger(quota)

/** The same amount without rounding, for hover and copies. */
export const formatExactQuota = (quota: number, display: QuotaDisplay): string =>
  display.display_in_currency ? formatExactMoney(quota / display.quota_per_unit) : formatInteger(quota)

/** A share with a fixed number of decimals: 39.7%. Cache in rows has none, success and uptime have two. */
export const formatPercent = (share: number, decimals: 0 | 1 | 2 = 1): string =>
  withMinus(
    once(
      `% ${decimals}`,
      () =>
        new Intl.NumberFormat('en-US', {
          style: 'percent',
          minimumFractionDigits: decimals,
          maximumFractionDigits: decimals,
        }),
    ).format(share),
  )

/** A success rate, cut instead of rounded: only what never failed is 100.00%. */
export const formatSuccess = (share: number): string => formatPercent(Math.floor(share * 10_000 + 1e-6) / 10_000, 2)

/** A change with its sign: +10.8%, −3.0%. */
export const formatChange = (share: number): string => `${share > 0 ? '+' : ''}${formatPercent(share)}`

const two = (value: number): string => String(value).padStart(2, '0')

/** Seconds with two decimals, without their unit. */
export const formatSeconds = (ms: number): string => (ms / 1000).toFixed(2)

/** Milliseconds as seconds below 100 s, then as minutes, then as hours: 0.92 s, 2 min 14 s, 1 h 02 min. */
export const formatDuration = (ms: number): string => {
  if (ms < 99_995) return `${formatSeconds(ms)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`
  const minutes = Math.round(ms / 60_000)
  return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`
}

/** Milliseconds in whole seconds below 100 s, else as `formatDuration`: 42 s, 2 min 14 s, 1 h 02 min. */
export const formatWholeDuration = (ms: number): string =>
  ms < 99_500 ? `${Math.round(ms / 1000)} s` : formatDuration(ms)

/** `2026-11-20 20:14:01` in a zone, for files, inputs and sums by day; undefined is the browser's own zone. */
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

/** `2026-11-20`, for the same purposes. */
export const formatDate = (unixSeconds: number, zone?: string): string => formatDateTime(unixSeconds, zone).slice(0, 10)

const spans: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** `3 分钟前` / `3 minutes ago`; less than a minute is "now". */
export const formatRelative = (unixSeconds: number, nowSeconds: number, language: ConsoleLanguage): string => {
  const distance = unixSeconds - nowSeconds
  const format = once(`ago ${language}`, () => new Intl.RelativeTimeFormat(localeOf(language), { numeric: 'auto' }))
  const span = spans.find(([, seconds]) => Math.abs(distance) >= seconds)
  return span ? format.format(Math.trunc(distance / span[1]), span[0]) : format.format(0, 'second')
}
