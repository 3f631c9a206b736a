import type { Generated } from 'kysely'
import type { Id, Time } from '#server/db/schema/columns.ts'

/** A Parquet file of rows of the log, oldest first. It was read back before its rows are deleted. */
export interface LogArchivesTable {
  id: Id
  /** Unique, also among files that are not in the table: a file is never written over. */
  name: string
  /** A month in UTC, such as `2026-03`. */
  month: string
  /** Place of its first and last row. */
  first_time: Time
  last_time: Time
  /** Smallest and largest id of its rows. */
  first_id: number
  last_id: number
  rows: number
  /** Sum of the rows' quota. */
  quota: number
  bytes: number
  created_time: Time
  /** Place of the last of its rows that was deleted from the database; 0 before the first. */
  deleted_until: Generated<Time>
  deleted_id: Generated<number>
  /** 0 while some of its rows are still in the database. */
  finished_time: Generated<Time>
}

export interface ArchiveTables {
  log_archives: LogArchivesTable
}

declare module '#server/db/schema.ts' {
  interface Tables extends ArchiveTables {}
}
