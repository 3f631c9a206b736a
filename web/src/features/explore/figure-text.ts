import { exploreMetrics } from '@tollgate/contract/records/explore'
import type { ExploreMetric, ExploreUnit } from '../../lib/api/contract.ts'
import { useStatus } from '../../lib/status.ts'
import { formatCompact, formatInteger, formatMoney } from '../../lib/text/format.ts'

export const dash = '—'

const percent = (share: number, decimals = 1): string => `${(share * 100).toFixed(decimals)}%`

/** Two decimals below 100 seconds, then minutes: 0.92 s, 2 min 14 s. */
export const secondsText = (ms: number): string => {
  const seconds = ms / 1000
  if (seconds < 100) return `${seconds.toFixed(2)} s`
  return `${Math.floor(seconds / 60)} min ${String(Math.round(seconds % 60)).padStart(2, '0')} s`
}

/** Sums have two decimals; what is smaller than a cent keeps its digits. */
const dollars = (amount: number): string =>
  amount !== 0 && Math.abs(amount) < 0.005
    ? formatMoney(amount)
    : formatMoney(Number(amount.toFixed(2))).replace(/(\.\d\d)\d+$/, '$1')

const withMinus = (text: string): string => text.replace('-', '−')

const texts: Readonly<Record<Exclude<ExploreUnit, 'quota'>, (value: number) => string>> = {
  count: formatInteger,
  tokens: formatCompact,
  share: percent,
  ms: secondsText,
  speed: (value) => `${value.toFixed(1)}/s`,
}

/** How values of a figure are written, in tables and on axes; what is not measured is a dash. */
export const useFigureText = (metric: ExploreMetric) => {
  const status = useStatus()
  const { unit } = exploreMetrics[metric]
  const perUnit = status.display_in_currency ? status.quota_per_unit : 1
  const money = (value: number): string => withMinus(status.display_in_currency ? dollars(value) : formatCompact(value))
  const shown = unit === 'quota' ? money : texts[unit]
  /** Money is drawn in dollars, so that the lines across a chart are round. */
  const drawn = (value: number): number => (unit === 'quota' ? value / perUnit : unit === 'share' ? value * 100 : value)
  const axis = (value: number): string => {
    if (unit === 'share') return `${Number(value.toPrecision(3))}%`
    if (unit === 'quota') return money(value).replace(/\.00$/, '')
    return unit === 'ms' ? `${Number((value / 1000).toPrecision(3))} s` : formatCompact(value)
  }
  const text = (value: number | null): string =>
    value === null ? dash : shown(unit === 'quota' ? value / perUnit : value)
  return {
    text,
    drawn,
    /** Of a value as it is drawn. */
    drawnText: (value: number): string => (unit === 'share' ? percent(value / 100) : shown(value)),
    axis,
    whole: unit === 'count' || unit === 'tokens',
  }
}

export const shareText = (share: number | null): string => (share === null ? dash : percent(share))

/** +10.8%; a dash where there was nothing before. */
export const changeText = (value: number | null, before: number | null): string => {
  if (value === null || before === null || before === 0) return dash
  const change = (value - before) / Math.abs(before)
  return `${change >= 0 ? '+' : '−'}${percent(Math.abs(change), Math.abs(change) >= 10 ? 0 : 1)}`
}
