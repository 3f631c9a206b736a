import type { Generated } from 'kysely'
import type { Id, Time } from '#server/db/schema/columns.ts'

/** Sources of a provider's reports. */
export interface ReportSourcesTable {
  id: Id
  kind: string
  name: string
  /** JSON list of the channels that buy with this account. */
  channel_ids: string
  base_url: string
  /** Encrypted; empty where the source needs none. */
  key_cipher: string
  key_hint: string
  /** JSON, see `sourceSettings` of the contract. */
  settings: string
  created_time: Time
}

/** A report of a period. A source has one for the same days, so that importing it again replaces it. */
export interface ReportImportsTable {
  id: Id
  source_id: number
  /** Starts of the first and of the last day (UTC). */
  from_day: Time
  until_day: Time
  /** Hours by which the report's days begin before those of UTC. */
  utc_offset: Generated<number>
  file_name: string
  status: 'running' | 'done' | 'failed'
  /** Random id of the attempt that may write the result. */
  run: string
  /** JSON: code and parameters of the last attempt's error; empty without one. */
  error: string
  lines: number
  /** JSON: sums of both sides and causes of their differences. */
  summary: string
  created_time: Time
  started_time: Time
  finished_time: Time
  username: string
}

/** A line of an imported report; null where the report does not say. */
export interface ReportLinesTable {
  id: Id
  import_id: number
  /** Start of the day (UTC). */
  day: Time
  /** The model under which both sides are compared. */
  model_key: string
  /** The model as the report names it. */
  model_name: string
  request_id: string
  calls: number | null
  /** Prompt tokens without those of a cache. */
  input: number | null
  cache_read: number | null
  cache_write: number | null
  output: number | null
  /** Dollars, exact decimal text. */
  cost: string | null
}

/** How a report compares with the log, by day and model. */
export interface ReportDaysTable {
  id: Id
  import_id: number
  day: Time
  model_key: string
  /** JSON, see `reconciledDay` of the contract. */
  comparison: string
}

/** Calls that a report and the log disagree about, one by one. */
export interface ReportCallsTable {
  id: Id
  import_id: number
  list: 'there' | 'here' | 'different'
  /** JSON, see `reconciledCall` of the contract. */
  comparison: string
}

/** Providers’ reports, compared with the log. */
export interface ReportTables {
  report_sources: ReportSourcesTable
  report_imports: ReportImportsTable
  report_lines: ReportLinesTable
  report_days: ReportDaysTable
  report_calls: ReportCallsTable
}

declare module '#server/db/schema.ts' {
  interface Tables extends ReportTables {}
}
