import type { UseQueryResult } from '@tanstack/react-query'
import type { ApiError } from '../../lib/api/api.ts'
import { calls, type FigureCondition, type FigureReport } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import { useStatus } from '../../lib/status.ts'
import { useTimeAnchor } from '../../lib/time/time-anchor.ts'
import { useTimeZone, zoneName } from '../../lib/time/time-zone.ts'
import { startOfDay } from '../../lib/time/zoned-time.ts'

/** Subject of a usage page: the calls that its figures are about. */
export interface UsageScope {
  /** Own calls only; for pages that everyone may open. */
  readonly mine: boolean
  readonly filters: readonly FigureCondition[]
  /** The filters of the log that mean the same. */
  readonly log: Readonly<Record<string, string>>
}

export type UsageQuery = UseQueryResult<FigureReport, ApiError>

/** Days of `useMonth`, today among them. */
export const monthDays = 30
const hourS = 3600
const dayS = 86_400
const refreshEveryMs = 60_000
const mostLines = 5

const reportOf = (mine: boolean): typeof calls.getFigures =>
  (mine ? calls.getOwnFigures : calls.getFigures) as typeof calls.getFigures

const useReport = (
  { mine, filters }: UsageScope,
  question: {
    metric: 'spend' | 'calls'
    by: 'model' | 'status' | 'key'
    rollup: 'day' | 'hour'
    start_timestamp: number
  },
  end: number,
): UsageQuery => {
  const zone = useTimeZone()
  const { enable_data_export: enabled } = useStatus()
  const query = {
    ...question,
    filters: JSON.stringify(filters),
    end_timestamp: end,
    zone: zoneName(zone),
    top: question.by === 'status' ? 12 : mostLines,
    compare: question.by !== 'status' ? ('before' as const) : ('none' as const),
  }
  return useEndpoint(reportOf(mine), { query }, { enabled, refreshEveryMs })
}

/** Spend by model on each of the last 30 days. */
export const useMonth = (scope: UsageScope): UsageQuery => {
  const [anchor] = useTimeAnchor()
  const start = Math.floor(startOfDay(anchor, monthDays - 1, zoneName(useTimeZone())))
  return useReport(scope, { metric: 'spend', by: 'model', rollup: 'day', start_timestamp: start }, Math.floor(anchor))
}

/** Spend of keys in the last 30 days. */
export const useKeySpend = (scope: UsageScope): UsageQuery => {
  const [anchor] = useTimeAnchor()
  const start = Math.floor(startOfDay(anchor, monthDays - 1, zoneName(useTimeZone())))
  return useReport(scope, { metric: 'spend', by: 'key', rollup: 'day', start_timestamp: start }, Math.floor(anchor))
}

/** Calls by how they ended in each of the last 24 whole hours and the running one. */
export const useDay = (scope: UsageScope): UsageQuery => {
  const [anchor] = useTimeAnchor()
  const end = Math.ceil(anchor / hourS) * hourS
  return useReport(scope, { metric: 'calls', by: 'status', rollup: 'hour', start_timestamp: end - dayS }, end)
}

/** The time of a report as the log's addresses have it. */
export const rangeOf = ({ from, to }: Pick<FigureReport, 'from' | 'to'>): string => `${from}..${to - 1}`

/** Share of the calls that were answered, of 1; undefined where there were none. */
export const successOf = ({ rows, total }: FigureReport): number | undefined => {
  if (total.calls === 0) return undefined
  const answered = rows.find(({ key }) => key === 'success')?.calls ?? 0
  return answered / total.calls
}
