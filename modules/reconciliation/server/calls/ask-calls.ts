import type { MatchedCalls } from '@tollgate/contract'
import { AppError } from '#server/lib/app-error.ts'
import type { ReportLine } from '../report.ts'
import type { CallsAccess, CallsApi } from '../sources/source.ts'
import type { OwnCall } from './own-calls.ts'
import { openSample } from './sample-calls.ts'

/** Provider's statements about single calls. */
export interface AskedCalls {
  readonly lines: readonly ReportLine[]
  /** The calls that it was asked about, and no others. */
  readonly calls: readonly OwnCall[]
  /** Calls that the comparison does not have. */
  readonly left: Pick<MatchedCalls, 'unnamed' | 'unasked'>
}

/**
 * Asks about calls of the log, some of them where they are many. Throws `report_no_calls` where the log has none with an id of the
 * provider, or the provider knows none of them, and what the API throws.
 */
export const askCalls = async (
  api: CallsApi,
  access: CallsAccess,
  own: AsyncIterable<readonly OwnCall[]>,
  offset: number,
): Promise<AskedCalls> => {
  const sample = openSample((id) => api.names(id))
  for await (const page of own) sample.look(page)
  const { calls, named, unnamed } = sample.end()
  const { lines, asked } = await api.read(access, calls, offset)
  if (lines.length === 0) throw new AppError('report_no_calls', { params: { calls: asked.length } })
  return { lines, calls: asked, left: { unnamed, unasked: named - asked.length } }
}
