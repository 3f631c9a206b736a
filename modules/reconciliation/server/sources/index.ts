import type { ReportKind } from '@tollgate/contract'
import { anthropicReport } from './anthropic.ts'
import { awsCsv } from './aws.ts'
import { azureCsv } from './azure.ts'
import { mappedCsv } from './mapped-csv.ts'
import { openaiReport } from './openai.ts'
import { openrouterReport } from './openrouter.ts'
import { openrouterCalls } from './openrouter-calls.ts'
import { panelReport } from './panel.ts'
import type { CallsApi, ReportApi, ReportFile } from './source.ts'

/** Every source of reports: those that are asked, those that are asked call by call, and those that are files. */
export const reportApiOf = (kind: ReportKind): ReportApi | undefined => apis.get(kind)
export const callsApiOf = (kind: ReportKind): CallsApi | undefined => callsApis.get(kind)
export const reportFileOf = (kind: ReportKind): ReportFile | undefined => files.get(kind)

const apis: ReadonlyMap<ReportKind, ReportApi> = new Map([
  ['openai', openaiReport],
  ['anthropic', anthropicReport],
  ['openrouter', openrouterReport],
  ['panel', panelReport],
])

const callsApis: ReadonlyMap<ReportKind, CallsApi> = new Map([['openrouter_calls', openrouterCalls]])

const files: ReadonlyMap<ReportKind, ReportFile> = new Map([
  ['azure_csv', azureCsv],
  ['aws_csv', awsCsv],
  ['csv', mappedCsv],
])
