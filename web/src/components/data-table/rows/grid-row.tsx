import { Checkbox } from '@mantine/core'
import { memo } from 'react'
import { useUiMessages } from '../../messages.ts'
import type { CellLook } from '../columns/column-look.ts'
import classes from '../data-table.module.css'
import { RowMenu } from './row-menu.tsx'
import { isOwnClick, pointingAt, type RowProps } from './rows-props.ts'

interface GridRowProps<Row> extends RowProps<Row> {
  looks: readonly CellLook[]
  /** True if the table has a column for menus. */
  menus: boolean
}

type CellsProps<Row> = Pick<GridRowProps<Row>, 'row' | 'name' | 'menu' | 'menus' | 'columns' | 'looks' | 'opens' | 'on'>

const AnyCells = <Row,>({ row, name, menu, menus, columns, looks, opens, on }: CellsProps<Row>) => (
  <>
    {columns.map((column, place) => (
      <td
        key={column.id}
        data-column={column.id}
        data-align={column.align}
        className={column.align ? 'num' : undefined}
        {...looks[place]}
      >
        {place === 0 && opens ? (
          <button type="button" className={classes.open} onClick={() => on.open(row)}>
            {column.cell(row)}
          </button>
        ) : (
          column.cell(row)
        )}
        {column.beside?.(row)}
      </td>
    ))}
    {menus && <td className={classes.action}>{menu && <RowMenu name={name} actions={() => on.actions(row)} />}</td>}
  </>
)
// Memoized cells: selecting a row, moving the keyboard to it or shifting it by one does not draw them again.
const Cells = memo(AnyCells) as typeof AnyCells

const AnyGridRow = <Row,>({ index, active, selected, quiet, ...cells }: GridRowProps<Row>) => {
  const say = useUiMessages()
  const { row, opens, on } = cells
  const pointing = pointingAt(row, on.intent)
  return (
    <tr
      data-row={index}
      tabIndex={active ? 0 : -1}
      data-active={active || undefined}
      data-selected={selected || undefined}
      data-quiet={quiet || undefined}
      data-opens={opens || undefined}
      onClick={(event) => {
        if (opens && !isOwnClick(event)) on.open(row)
      }}
      {...pointing}
      onContextMenu={(event) => on.context(row, event)}
    >
      {selected !== undefined && (
        <td className={classes.box}>
          <Checkbox
            size="xs"
            aria-label={say('selectRow', { name: cells.name })}
            checked={selected}
            onChange={() => undefined}
            onClick={(event) => on.toggle(row, { range: event.shiftKey })}
          />
        </td>
      )}
      <Cells {...cells} />
    </tr>
  )
}

/** One row of the table; drawn again only when its content changes. */
export const GridRow = memo(AnyGridRow) as typeof AnyGridRow
