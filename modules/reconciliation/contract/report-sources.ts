import { endpoint } from '@tollgate/contract/endpoint'
import { idParams } from '@tollgate/contract/page'
import { z } from 'zod'

/** Sources of reports: an API that is asked with a key of its own, or a file. */
export const reportApis = ['openai', 'anthropic', 'openrouter', 'openrouter_calls', 'panel'] as const
export const reportFiles = ['azure_csv', 'aws_csv', 'csv'] as const
export const reportKind = z.enum([...reportApis, ...reportFiles])
export type ReportKind = z.output<typeof reportKind>

/** True for reports that are read from a file. */
export const isFileReport = (kind: ReportKind): boolean => (reportFiles as readonly string[]).includes(kind)

/** A report file has at most so many megabytes, and a report so many lines. */
export const mostReportMegabytes = 8
export const mostReportLines = 50_000
/** Days of one import. */
export const mostReportDays = 62

/** Columns that a CSV file may have, by their meaning. `day` is the only one that every file needs. */
export const reportFields = [
  'day',
  'model',
  'request_id',
  'calls',
  'input',
  'cache_read',
  'cache_write',
  'output',
  'cost',
] as const
export type ReportField = (typeof reportFields)[number]

const columnName = z.string().max(200)

/** Meaning → name of the column. */
const columns = z.partialRecord(z.enum(reportFields), columnName)

const decimalText = z.string().regex(/^\d{1,12}(\.\d{1,9})?$/)

export const sourceSettings = z.object({
  /** OpenAI projects, Anthropic workspaces: only what they used; empty for the whole organization. */
  projects: z.array(z.string().trim().min(1).max(100)).max(50).default([]),
  /** Another panel: the id of the user whose access token is the key. */
  user_id: z.string().max(20).default(''),
  /** A CSV file: which column means what. */
  columns: columns.default({}),
  /** True if the column `input` counts cached tokens, too. */
  input_includes_cache: z.boolean().default(true),
  /** How many units of the report's currency make one dollar: 100 for cents. */
  per_dollar: decimalText.default('1'),
  /** Hours by which the report's days begin before those of UTC: 8 for China. */
  utc_offset: z.int().min(-12).max(14).default(0),
})
export type SourceSettings = z.output<typeof sourceSettings>

const sourceFields = {
  kind: reportKind,
  name: z.string().trim().min(1).max(100),
  /** Channels that buy with this account. */
  channel_ids: z.array(z.int().positive()).min(1).max(50),
  /** Empty for the provider's own address. */
  base_url: z.string().trim().max(500).default(''),
  settings: sourceSettings,
}

export const reportSource = z.object({
  id: z.int(),
  ...sourceFields,
  /** `abcd***wxyz`; empty where no key is stored. */
  key_hint: z.string(),
  created_time: z.int(),
})
export type ReportSource = z.output<typeof reportSource>

export const listReportSources = endpoint({
  method: 'GET',
  path: '/api/reconciliation/sources',
  access: 'root',
  summary: 'Where reports of providers come from',
  data: z.array(reportSource),
})

/** An empty key keeps the stored one. */
export const saveReportSource = endpoint({
  method: 'POST',
  path: '/api/reconciliation/sources',
  access: 'root',
  summary: 'Adds a source of reports, or changes one',
  body: z.object({ id: z.int().positive().optional(), ...sourceFields, key: z.string().trim().max(4000).default('') }),
  data: reportSource,
})

export const deleteReportSource = endpoint({
  method: 'DELETE',
  path: '/api/reconciliation/sources/:id',
  access: 'root',
  summary: 'Deletes a source with its key and all of its imports',
  params: idParams,
})

/** For choosing columns: the header of a CSV file, its first rows, and what the columns seem to mean. */
export const previewReport = endpoint({
  method: 'POST',
  path: '/api/reconciliation/preview',
  access: 'root',
  changes: false,
  summary: 'The first rows of a CSV report',
  body: z.object({ text: z.string().max(100_000) }),
  data: z.object({ header: z.array(z.string()), rows: z.array(z.array(z.string())), columns }),
})
