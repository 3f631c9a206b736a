import type { UseQueryResult } from '@tanstack/react-query'
import type { ApiError } from '../../../lib/api/api.ts'
import { calls, type FigureReport } from '../../../lib/api/contract.ts'
import { useEndpoint } from '../../../lib/query.ts'
import { useTimeAnchor } from '../../../lib/time/time-anchor.ts'
import { useTimeZone, zoneName } from '../../../lib/time/time-zone.ts'

const hourS = 3600
const dayS = 86_400
const refreshEveryMs = 60_000
/** More models or classes are summed up as the rest. */
const mostLines = 12

type Report = UseQueryResult<FigureReport, ApiError>

/** Reports of a channel's last 24 whole hours and the running one. */
export interface DayFigures {
  readonly spend: Report
  readonly cost: Report
  readonly margin: Report
  readonly byStatus: Report
  readonly firstP50: Report
  readonly firstP95: Report
}

/** Reads the figures of a channel's last day. */
export const useDayFigures = (channelId: number): DayFigures => {
  const zone = useTimeZone()
  const [anchor] = useTimeAnchor()
  const end = Math.ceil(anchor / hourS) * hourS
  const query = {
    filters: JSON.stringify([{ dimension: 'channel', is: 'is', values: [String(channelId)] }]),
    start_timestamp: end - dayS,
    end_timestamp: end,
    rollup: 'hour' as const,
    zone: zoneName(zone),
    top: mostLines,
    compare: 'none' as const,
  }
  const options = { refreshEveryMs }
  return {
    spend: useEndpoint(calls.getFigures, { query: { ...query, metric: 'spend', by: 'model' } }, options),
    cost: useEndpoint(calls.getFigures, { query: { ...query, metric: 'cost', by: 'model' } }, options),
    margin: useEndpoint(calls.getFigures, { query: { ...query, metric: 'margin', by: 'model' } }, options),
    byStatus: useEndpoint(calls.getFigures, { query: { ...query, metric: 'calls', by: 'status' } }, options),
    firstP50: useEndpoint(calls.getFigures, { query: { ...query, metric: 'first_p50', by: 'model' } }, options),
    firstP95: useEndpoint(calls.getFigures, { query: { ...query, metric: 'first_p95', by: 'model' } }, options),
  }
}
