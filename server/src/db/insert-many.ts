import { CompiledQuery } from 'kysely'
import type { CellRows, Engine, Row, SqlValue } from './database.ts'
import { cellRowsOf, insertStatement, skipExistingRows, storableCells } from './insert.ts'

const rowsPerStatement = 500
// Far below what the servers accept in one packet by default.
const charactersPerStatement = 1_000_000

type Cells = readonly SqlValue[]

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

/** The multi-row inserts that write `rows`. */
export const insertStatements = (
  engine: Engine,
  table: string,
  rows: readonly Row[] | CellRows,
  { skipExisting }: { skipExisting: boolean },
): CompiledQuery[] => {
  const cells = cellRowsOf(rows)
  const { columns, constants } = cells
  const ending = skipExisting ? skipExistingRows(engine, columns) : ''
  return chunksOf(storableCells(table, cells)).map((chunk) =>
    CompiledQuery.raw(
      insertStatement(engine, { table, columns, constants, rowCount: chunk.length, ending }),
      chunk.flat(),
    ),
  )
}
