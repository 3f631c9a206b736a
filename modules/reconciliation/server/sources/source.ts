import type { SourceSettings } from '@tollgate/contract'
import type { OwnCall } from '../calls/own-calls.ts'
import type { Period, ReportLine } from '../report.ts'
import type { FindJson, GetJson } from './get-json.ts'

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

/** What a provider's API is asked with about single calls. */
export interface CallsAccess extends Pick<ReportAccess, 'baseUrl' | 'key'> {
  readonly find: FindJson
  /** Resolves after so many milliseconds. */
  readonly rest: (ms: number) => Promise<void>
  /** The present moment in unix seconds. */
  readonly seconds: () => number
}

/** Asks a provider's API about calls that the log has, one after the other. */
export interface CallsApi {
  readonly baseUrl: string
  /** Whether an id is one that the provider can be asked about. */
  names(id: string): boolean
  /**
   * Lines of calls that the provider knows, on days that begin `offset` hours before those of UTC, and the calls that it was asked
   * about: fewer than given where time or the provider's limits end. Throws AppError.
   */
  read(
    access: CallsAccess,
    calls: readonly OwnCall[],
    offset: number,
  ): Promise<{ readonly lines: readonly ReportLine[]; readonly asked: readonly OwnCall[] }>
}

/** Reads a report from the text of a file. Throws AppError. */
export type ReportFile = (text: string, settings: SourceSettings) => Promise<readonly ReportLine[]>
