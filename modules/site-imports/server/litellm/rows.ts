import type { z } from 'zod'
import type { OpenSiteParts } from '../site.ts'
import { groupedPagesOf, pagesOf } from '../source/source.ts'

interface Table<Row> {
  readonly table: string
  readonly column: string
  readonly shape: z.ZodType<Row>
  /** False where values of the column repeat. */
  readonly isUnique?: false
}

/** All rows of a small table. */
export const rowsOf = async <Row>({ source }: Pick<OpenSiteParts, 'source'>, wanted: Table<Row>): Promise<Row[]> => {
  const { table, column, shape, isUnique = true } = wanted
  const all: Row[] = []
  const pages = isUnique ? pagesOf(source, table, column) : groupedPagesOf(source, table, column)
  for await (const rows of pages) for (const row of rows) all.push(shape.parse(row))
  return all
}
