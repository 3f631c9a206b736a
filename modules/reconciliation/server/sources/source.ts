import type { SourceSettings } from '@tollgate/contract'
import type { OwnCall } from '../calls/own-calls.ts'
import type { Period, ReportLine } from '../report.ts'
import type { FindJson, GetJson } from './get-json.ts'

/** Access to a provider's API. */
export interface ReportAccess {
  /** Without a final slash. */
  readonly baseUrl: string
  readonly key: string
  readonly settings: SourceSettings
  readonly get: GetJson
}

/** Reads the report of a period from a provider's API. Throws AppError. */
export interface ReportApi {
  /** Provider's address; empty if the operator has to enter it. */
  readonly baseUrl: string
  read(access: ReportAccess, period: Period): Promise<readonly ReportLine[]>
}

/** Access to a provider's API about single calls. */
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
  /** True if an id has the form of the provider's ids. */
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
