import { endpoint } from '@tollgate/contract/endpoint'
import { refusalFields } from '@tollgate/contract/errors/refusal'
import { idParams, pageOf, pageQuery, queryChoice } from '@tollgate/contract/page'
import { z } from 'zod'
import { mostReportMegabytes, reportKind } from './report-sources.ts'

/** Why a report differs from the log. Both sides are compared by model and day (UTC). */
export const differenceCauses = [
  'cache_ignored',
  'price_changed',
  'missing_here',
  'missing_there',
  'duplicated',
  'failed_here',
  'day_boundary',
  'rounding',
  'tokens_differ',
  'other_charges',
  'no_price',
  'unexplained',
] as const
const differenceCause = z.enum(differenceCauses)
export type DifferenceCause = z.output<typeof differenceCause>

const dollars = z.string()
const count = z.int().nullable()

/** One side of a comparison; null where it does not say. Dollars are exact decimal text. */
export const reconciledSide = z.object({
  calls: count,
  /** Prompt tokens that no cache was read or written for. */
  input: count,
  cache_read: count,
  cache_write: count,
  output: count,
  cost: dollars.nullable(),
})
export type ReconciledSide = z.output<typeof reconciledSide>

export const namedCause = z.object({
  cause: differenceCause,
  /** Its part of the difference in dollars, signed: above 0 where the report is dearer. */
  amount: dollars,
  /** Calls that only one side has. */
  calls: z.int().optional(),
  /** How the report's price relates to the list price, e.g. `1.25`. */
  factor: z.string().optional(),
  /** Hours by which the report's days seem to begin before those of UTC. */
  hours: z.int().optional(),
})
export type NamedCause = z.output<typeof namedCause>

export const reconciledDay = z.object({
  /** Start of the day (UTC) in unix seconds. */
  day: z.int(),
  /** Empty for charges that belong to no model. */
  model: z.string(),
  ours: reconciledSide,
  theirs: reconciledSide,
  /** Report minus log in dollars; null where one of them has no price. */
  difference: dollars.nullable(),
  causes: z.array(namedCause),
  /** Lines of the report behind the figures. */
  lines: z.int(),
  /** False where rows of the log were cleared: the hourly figures count then, without cache. */
  detailed: z.boolean(),
})
export type ReconciledDay = z.output<typeof reconciledDay>

/** Comparison of single calls; lists are bounded, these counts are not. */
export const matchedCalls = z.object({
  /** `other_ids`: the report has ids of another kind than the log. `no_own_ids`: the log has none in this period. */
  ids: z.enum(['matched', 'other_ids', 'no_own_ids']),
  /** Calls that both sides have, the different ones included. */
  matched: z.int(),
  /** Only the report has them. */
  there: z.int(),
  /** Only the log has them. */
  here: z.int(),
  different: z.int(),
  /** Calls of the log without an id of the provider, which cannot be compared. */
  unnamed: z.int(),
  /** Calls that the provider was not asked about, where it is asked call by call; they are in no comparison. */
  unasked: z.int().default(0),
})
export type MatchedCalls = z.output<typeof matchedCalls>

export const callLists = ['there', 'here', 'different'] as const
export type CallList = (typeof callLists)[number]
/** So many calls of each list are stored, the oldest first. */
export const mostListedCalls = 1_000

export const reconciledCall = z.object({
  id: z.int(),
  /** Unix seconds: when it ended here; the start of its day where only the report has it. */
  at: z.int(),
  model: z.string(),
  provider_request_id: z.string(),
  /** Empty where only the report has it. */
  request_id: z.string(),
  /** Null where the log does not have it. */
  ours: reconciledSide.nullable(),
  /** Null where the report does not have it. */
  theirs: reconciledSide.nullable(),
  difference: dollars.nullable(),
  causes: z.array(namedCause),
})
export type ReconciledCall = z.output<typeof reconciledCall>

const importStatus = z.enum(['running', 'done', 'failed'])

export const reportImport = z.object({
  id: z.int(),
  source_id: z.int(),
  source_name: z.string(),
  kind: reportKind,
  channel_ids: z.array(z.int()),
  /** First and last day, as the unix seconds at which they start (UTC). */
  from: z.int(),
  until: z.int(),
  /** Hours by which the report's days begin before those of UTC. */
  utc_offset: z.int(),
  file_name: z.string(),
  status: importStatus,
  /** Why the last attempt failed; empty when it did not. */
  error: z.string(),
  ...refusalFields,
  lines: z.int(),
  ours_cost: dollars,
  theirs_cost: dollars,
  /** Sum of what differs, over the models and days that both sides have a price for. */
  difference: dollars,
  causes: z.array(namedCause),
  /** Null where the report does not name single calls. */
  calls: matchedCalls.nullable(),
  created_time: z.int(),
  finished_time: z.int(),
  username: z.string(),
})
export type ReportImport = z.output<typeof reportImport>

export const listReportImports = endpoint({
  method: 'GET',
  path: '/api/reconciliation/imports',
  access: 'root',
  summary: 'Imported reports, newest first, page 1 first',
  query: z.object(pageQuery),
  data: pageOf(reportImport),
})

/** Starts an import; the same source and period again replaces what is there. A file says its period itself. */
export const importReport = endpoint({
  method: 'POST',
  path: '/api/reconciliation/imports',
  access: 'root',
  summary: 'Imports a report and compares it with the log',
  megabytes: mostReportMegabytes + 4,
  body: z.object({
    source_id: z.int().positive(),
    /** Any second of the first and of the last day (UTC). */
    from: z.int().min(0).optional(),
    until: z.int().min(0).optional(),
    /** Hours by which the report's days begin before those of UTC; as the source says when absent. */
    utc_offset: z.int().min(-12).max(14).optional(),
    file: z.object({ name: z.string().max(255), text: z.string() }).optional(),
  }),
  data: z.object({ id: z.int() }),
})

export const getReportImport = endpoint({
  method: 'GET',
  path: '/api/reconciliation/imports/:id',
  access: 'root',
  summary: 'An imported report with its comparison by day and model',
  params: idParams,
  data: reportImport.extend({ days: z.array(reconciledDay) }),
})

export const deleteReportImport = endpoint({
  method: 'DELETE',
  path: '/api/reconciliation/imports/:id',
  access: 'root',
  summary: 'Deletes an imported report',
  params: idParams,
})

export const reportLine = reconciledSide.extend({
  id: z.int(),
  day: z.int(),
  model: z.string(),
  request_id: z.string(),
})
export type ReconciliationLine = z.output<typeof reportLine>

/** The lines of a report behind one day and model, as the provider wrote them. */
export const listReportLines = endpoint({
  method: 'GET',
  path: '/api/reconciliation/imports/:id/lines',
  access: 'root',
  summary: 'Lines of an imported report, page 1 first',
  params: idParams,
  query: z.object({
    ...pageQuery,
    day: z.coerce.number().int().optional().catch(undefined),
    /** As in the comparison. */
    model: z.string().max(255).optional(),
  }),
  data: pageOf(reportLine),
})

export const listReconciledCalls = endpoint({
  method: 'GET',
  path: '/api/reconciliation/imports/:id/calls',
  access: 'root',
  summary: 'Single calls that a report and the log disagree about, page 1 first',
  params: idParams,
  query: z.object({ ...pageQuery, list: queryChoice(callLists, 'different') }),
  unusableBodyStatus: 400,
  data: pageOf(reconciledCall),
})
