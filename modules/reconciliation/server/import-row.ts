import { matchedCalls, type NamedCause, type ReportImport, type ReportKind } from '@tollgate/contract'
import { parseJson } from '@tollgate/contract/json'
import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Summary } from './compare/compare.ts'
import type { ReportImportsTable } from './tables.ts'

/** A stored import of a report. */
export type ImportRow = Selectable<ReportImportsTable>

/** After so long without an end, an attempt counts as interrupted: its node has stopped. Seconds. */
const longestAttempt = 900

/** True while an attempt at an import is under way; `now` in unix seconds. */
export const isRunning = ({ status, started_time }: ImportRow, now: number): boolean =>
  status === 'running' && started_time > now - longestAttempt

/** True where an attempt has begun and its node has stopped. */
export const isInterrupted = (row: ImportRow, now: number): boolean => row.status === 'running' && !isRunning(row, now)

/** Summary of an import before it is compared. */
export const emptySummary: Summary = { ours_cost: '0', theirs_cost: '0', difference: '0', causes: [], calls: null }

const storedCause = z.custom<NamedCause>((value) => typeof value === 'object' && value !== null && 'cause' in value)
const storedSummary = z.object({
  ours_cost: z.string(),
  theirs_cost: z.string(),
  difference: z.string(),
  causes: z.array(storedCause),
  /** Absent in results of earlier versions. */
  calls: matchedCalls.nullable().default(null),
})

/** The stored summary of a comparison; an empty one where none is readable. */
export const readSummary = (text: string): Summary => storedSummary.safeParse(parseJson(text)).data ?? emptySummary

/** Why an import failed, for a reader. */
export type ImportProblem = Pick<ReportImport, 'error' | 'code' | 'params'>

/** An import as the console shows it. */
export const shownImport = (
  row: ImportRow,
  source: { readonly name: string; readonly kind: ReportKind; readonly channel_ids: readonly number[] },
  problem: ImportProblem,
  now: number,
): ReportImport => {
  const { causes, ...sums } = readSummary(row.summary)
  return {
    id: row.id,
    source_id: row.source_id,
    source_name: source.name,
    kind: source.kind,
    channel_ids: [...source.channel_ids],
    from: row.from_day,
    until: row.until_day,
    utc_offset: row.utc_offset,
    file_name: row.file_name,
    status: isInterrupted(row, now) ? 'failed' : row.status,
    ...problem,
    lines: row.lines,
    ...sums,
    causes: [...causes],
    created_time: row.created_time,
    finished_time: row.finished_time,
    username: row.username,
  }
}
