import { ownMember } from '@tollgate/contract/own-member'
import type { NoteBook } from '../notes.ts'

/** A row of another program's table as its driver gives it; look it up only through a schema of `cells.ts`. */
export type SourceRow = Readonly<Record<string, unknown>>

/** Another gateway's database, which is only read. */
export interface Source {
  /** Names of a table's columns; empty where there is no such table. Older and newer versions differ. */
  columns(table: string): Promise<ReadonlySet<string>>
  count(table: string): Promise<number>
  /** Rows after one, in the order of a unique column; `after` is the column's value in the last row, undefined to begin. */
  page(table: string, by: PageKey, after: string | number | undefined): Promise<readonly SourceRow[]>
  close(): Promise<void>
}

export interface PageKey {
  /** A unique column. */
  readonly column: string
  readonly size: number
}

/** Rows that are read at once. */
export const pageSize = 200

/** All rows of a table, a page at a time; none where there is no such table. */
export async function* pagesOf(
  source: Source,
  table: string,
  column: string,
  size = pageSize,
): AsyncGenerator<readonly SourceRow[]> {
  if (!(await source.columns(table)).has(column)) return
  for (let after: string | number | undefined; ; ) {
    const rows = await source.page(table, { column, size }, after)
    const last = ownMember(rows.at(-1) ?? {}, column)
    if (rows.length > 0) yield rows
    if (rows.length < size) return
    // Drivers give large numbers as bigint or text.
    after = typeof last === 'number' || typeof last === 'string' ? last : String(last)
  }
}

/** Notes each of these tables that is not there. */
export const noteMissing = async (
  { source, notes }: { readonly source: Source; readonly notes: NoteBook },
  tables: readonly string[],
): Promise<void> => {
  for (const table of tables) if ((await source.columns(table)).size === 0) notes.note('table_missing', table)
}

/** The number of rows of a table, 0 where there is none. */
export const countOf = async (source: Source, table: string): Promise<number> =>
  (await source.columns(table)).size === 0 ? 0 : source.count(table)
