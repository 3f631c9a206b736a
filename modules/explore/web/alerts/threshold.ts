import { figureMetrics } from '@tollgate/contract/records/figures'
import type { AlertComparison, AlertWindow, FigureMetric, FigureReport, FigureUnit } from '#web/lib/api/contract.ts'

/** How many of the stored unit one of the typed unit is: people type dollars, percent and seconds. */
const sizes: Readonly<Record<Exclude<FigureUnit, 'quota'>, number>> = {
  count: 1,
  tokens: 1,
  share: 0.01,
  ms: 1000,
  speed: 1,
}

/** The unit in which a threshold is typed; `perUnit` is how many quota units a dollar has, 1 where quota is shown. */
export const typedUnit = (metric: FigureMetric, perUnit: number): number => {
  const { unit } = figureMetrics[metric]
  return unit === 'quota' ? perUnit : sizes[unit]
}

/** A typed number in the stored unit, without the noise of the multiplication. */
export const storedThreshold = (typed: number, size: number): number => Number((typed * size).toPrecision(15))

/** The inverse: a stored threshold as it is typed. */
export const typedThreshold = (stored: number, size: number): number => Number((stored / size).toPrecision(15))

const hour = 3_600

/**
 * A threshold to begin with, as it is typed: well away from what the window had on average in the time of the chart.
 * Empty where the chart has no value.
 */
export const suggested = (
  report: Pick<FigureReport, 'from' | 'to' | 'total'> | undefined,
  metric: FigureMetric,
  { comparison, hours, size }: { comparison: AlertComparison; hours: AlertWindow; size: number },
): number | '' => {
  const value = report?.total.value ?? null
  if (report === undefined || value === null || value <= 0) return ''
  const { adds, unit } = figureMetrics[metric]
  const inWindow = adds ? (value * hours * hour) / Math.max(hour, report.to - report.from) : value
  const wanted = inWindow * (adds ? (comparison === 'above' ? 2 : 0.5) : comparison === 'above' ? 1.25 : 0.8)
  const typed = Number(((unit === 'share' ? Math.min(1, wanted) : wanted) / size).toPrecision(2))
  return unit === 'count' || unit === 'tokens' ? Math.max(1, Math.round(typed)) : typed
}
