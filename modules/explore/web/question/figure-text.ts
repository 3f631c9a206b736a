import { figureMetrics } from '@tollgate/contract/records/figures'
import type { FigureMetric, FigureUnit } from '#web/lib/api/contract.ts'
import { useStatus } from '#web/lib/status.ts'
import {
  formatCallMoney,
  formatChange,
  formatCompact,
  formatDuration,
  formatInteger,
  formatMoney,
  formatPercent,
  formatSum,
} from '#web/lib/text/format.ts'

export const dash = '—'

/** Dollars that two decimals can tell from nothing. */
const least = 0.01

const texts: Readonly<Record<Exclude<FigureUnit, 'quota'>, (value: number) => string>> = {
  count: formatInteger,
  tokens: formatCompact,
  share: (share) => formatPercent(share),
  ms: formatDuration,
  speed: (value) => `${value.toFixed(1)}/s`,
}

/** How values of a figure are written, in tables and on axes; what is not measured is a dash. */
export const useFigureText = (metric: FigureMetric) => {
  const status = useStatus()
  const { unit } = figureMetrics[metric]
  const inMoney = status.display_in_currency
  const perUnit = unit === 'quota' && inMoney ? status.quota_per_unit : 1
  const shown = unit === 'quota' ? (inMoney ? formatSum : formatCompact) : texts[unit]
  const axis = (value: number): string => {
    if (unit === 'share') return formatPercent(value, value < 0.05 && value > 0 ? 1 : 0)
    if (unit === 'quota' && inMoney) return formatMoney(value).replace(/\.00$/, '')
    return unit === 'ms' ? formatDuration(value) : formatCompact(value)
  }
  return {
    /** With all digits that were typed: a threshold of $0.001 is not "less than a cent". */
    exactText: (value: number): string =>
      unit === 'quota' && inMoney
        ? formatMoney(value / perUnit)
        : unit === 'tokens'
          ? formatInteger(value)
          : shown(value / perUnit),
    text: (value: number | null): string => (value === null ? dash : shown(value / perUnit)),
    /** One form for a whole column, so that its decimals stand under each other: money has six where any is below a cent. */
    columnText: (column: readonly (number | null)[]): ((value: number | null) => string) => {
      const isFine = (value: number | null): boolean =>
        value !== null && value !== 0 && Math.abs(value) < perUnit * least
      const print = unit === 'quota' && inMoney && column.some(isFine) ? formatCallMoney : shown
      return (value) => (value === null ? dash : print(value / perUnit))
    },
    /** Money is drawn in dollars, so that the lines across a chart are round. */
    drawn: (value: number): number => value / perUnit,
    /** Of a value as it is drawn. */
    drawnText: shown,
    axis,
    whole: unit === 'count' || unit === 'tokens',
  }
}

export const shareText = (share: number | null): string => (share === null ? dash : formatPercent(share))

/** +10.8%; a dash where there was nothing before. */
export const changeText = (value: number | null, before: number | null): string =>
  value === null || before === null || before === 0 ? dash : formatChange((value - before) / Math.abs(before))
