export type BackupCell = string | number | null

/** A table as it stands in a backup. */
export interface BackupTable {
  readonly name: string
  readonly columns: readonly string[]
  /** The number that its next row gets; undefined for tables whose rows are not numbered. */
  readonly nextId: number | undefined
}

/**
 * A database as it was at one moment, however long it takes to read and whatever is written meanwhile. It holds no lock
 * that others wait for.
 */
export interface Snapshot {
  readonly tables: readonly BackupTable[]
  /** All rows, some hundred at a time, in the order of the columns. */
  rows(table: BackupTable): AsyncIterable<readonly (readonly BackupCell[])[]>
  close(): Promise<void>
}

/** Cell of a database as a backup stores it. @throws Error for anything else than a text, a number or null: no column holds it. */
export const asCell = (value: unknown): BackupCell => {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  throw new Error(`a column holds a ${typeof value}, which a backup cannot carry`)
}

/** Tables whose rows have some hundred kilobytes each. */
const largeRows: ReadonlySet<string> = new Set(['kept_file_pieces'])

/** Rows of a table that are read at once. */
export const rowsAtOnceOf = (table: string): number => (largeRows.has(table) ? 16 : 500)

/** Kysely's locks are of no use in a copy. */
export const isKept = (table: string): boolean => !table.endsWith('_lock') && !table.startsWith('sqlite_')
