import type { LogStore } from '../store.ts'

/** Rows of the log that left its table. */
export interface OlderLogs {
  /** The log with the rows of the table and with these. */
  joined(live: LogStore): LogStore
  /** True if rows have left the table for sure by the time they are so many days old. */
  hasAllAfter(days: number): boolean
}
