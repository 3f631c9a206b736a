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
  /** Columns that are read; all if absent. */
  readonly columns?: readonly string[] | undefined
}

/** Rows that are read at once. */
export const pageSize = 200

/** All rows of a table, a page at a time; none where there is no such table. Of `columns` only those are read, where they are there. */
export async function* pagesOf(
  source: Source,
  table: string,
  column: string,
  { size = pageSize, columns }: { readonly size?: number; readonly columns?: readonly string[] } = {},
): AsyncGenerator<readonly SourceRow[]> {
  const there = await source.columns(table)
  if (!there.has(column)) return
  const wanted = columns?.filter((name) => there.has(name))
  for (let after: string | number | undefined; ; ) {
    const rows = await source.page(table, { column, size, columns: wanted }, after)
    const last = ownMember(rows.at(-1) ?? {}, column)
    if (rows.length > 0) yield rows
    if (rows.length < size) return
    // Drivers give large numbers as bigint or text.
    after = typeof last === 'number' || typeof last === 'string' ? last : String(last)
  }
}

/** All rows of a table in the order of a column whose values repeat; those of one value come in one page. */
export async function* groupedPagesOf(
  source: Source,
  table: string,
  column: string,
  size = 1000,
): AsyncGenerator<readonly SourceRow[]> {
  if (!(await source.columns(table)).has(column)) return
  for (let [after, wanted]: [string | undefined, number] = [undefined, size]; ; ) {
    const rows = await source.page(table, { column, size: wanted }, after)
    const groupOf = (row: SourceRow): string => String(ownMember(row, column))
    const last = rows.at(-1)
    if (last === undefined) return
    if (rows.length < wanted) {
      yield rows
      return
    }
    // More rows with the last value may follow.
    const whole = rows.filter((row) => groupOf(row) !== groupOf(last))
    const end = whole.at(-1)
    if (end === undefined) {
      wanted *= 2
      continue
    }
    yield whole
    after = groupOf(end)
    wanted = size
  }
}

/** Rows of a kind that a source does not have. */
export async function* nothing(): AsyncGenerator<never[]> {}

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
