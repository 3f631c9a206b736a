import { largestPageSize } from '@tollgate/contract/sizes'
import type { Page } from '../../../lib/api/contract.ts'

/** More rows than this are for the database, not for a browser. */
export const mostRows = 10_000

/** Reads all rows of an export; `capped` is true if there were more. */
export type ReadRows<Row> = () => Promise<{ rows: readonly Row[]; capped: boolean }>

/** Reads a list page by page. `capped` is true if there were more than `mostRows`. */
export const readAll = async <Row>(
  readPage: (page: number, largestPageSize: number) => Promise<Page<Row>>,
): Promise<{ rows: Row[]; capped: boolean }> => {
  const rows: Row[] = []
  for (let page = 1; rows.length < mostRows; page += 1) {
    const { items } = await readPage(page, largestPageSize)
    rows.push(...items)
    if (items.length < largestPageSize) return { rows, capped: false }
  }
  return { rows, capped: true }
}
