import type { SourceSettings } from '@tollgate/contract'
import type { Period, ReportLine } from '../report.ts'
import type { GetJson } from './get-json.ts'

/** What a provider's API is asked with. */
export interface ReportAccess {
  /** Without a final slash. */
  readonly baseUrl: string
  readonly key: string
  readonly settings: SourceSettings
  readonly get: GetJson
}

/** Reads the report of a period from a provider's API. Throws AppError. */
export interface ReportApi {
  /** Where the provider answers; empty where the operator has to say. */
  readonly baseUrl: string
  read(access: ReportAccess, period: Period): Promise<readonly ReportLine[]>
}

/** Reads a report from the text of a file. Throws AppError. */
export type ReportFile = (text: string, settings: SourceSettings) => Promise<readonly ReportLine[]>
