import { createContext } from 'react'
import { isFine } from '../../display/fine-rows.tsx'
import type { Column } from '../columns/column.ts'

/** The columns of the table whose money has six decimals: their ids with blanks between them. */
export const FineColumns = createContext('')

/** The columns of money that have an amount below a cent on this page. */
export const fineColumns = <Row>(
  columns: readonly Column<Row>[],
  rows: readonly { row: Row }[],
  quotaPerUnit: number,
): string =>
  columns
    .filter(
      ({ money, value }) =>
        money &&
        value &&
        isFine(
          rows.map(({ row }) => value(row)),
          quotaPerUnit,
        ),
    )
    .map(({ id }) => id)
    .join(' ')
