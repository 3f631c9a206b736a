import { CompiledQuery } from 'kysely'
import type { Engine, Row } from './database.ts'
import { cellsOf, insertStatement, skipExistingRows } from './insert.ts'

const rowsPerStatement = 500
// Far below what the servers accept in one packet by default.
const charactersPerStatement = 1_000_000

type Cells = readonly (string | number | null)[]

const charactersOf = (cells: Cells): number =>
  cells.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 8), 0)

const chunksOf = (rows: readonly Cells[]): Cells[][] => {
  const chunks: Cells[][] = []
  let chunk: Cells[] = []
  let characters = 0
  for (const cells of rows) {
    const more = charactersOf(cells)
    if (chunk.length === rowsPerStatement || (chunk.length > 0 && characters + more > charactersPerStatement)) {
      chunks.push(chunk)
      chunk = []
      characters = 0
    }
    chunk.push(cells)
    characters += more
  }
  if (chunk.length > 0) chunks.push(chunk)
  return chunks
}

/** The multi-row inserts that write `rows`; all rows have the keys of the first. */
export const insertStatements = (
  engine: Engine,
  table: string,
  rows: readonly Row[],
  { skipExisting }: { skipExisting: boolean },
): CompiledQuery[] => {
  const columns = Object.keys(rows[0] ?? {})
  const ending = skipExisting ? skipExistingRows(engine, columns) : ''
  return chunksOf(rows.map((row) => cellsOf(table, columns, row))).map((chunk) =>
    CompiledQuery.raw(insertStatement(engine, { table, columns, rowCount: chunk.length, ending }), chunk.flat()),
  )
}
