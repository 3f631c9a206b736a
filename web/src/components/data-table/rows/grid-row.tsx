import { Checkbox } from '@mantine/core'
import { memo, use } from 'react'
import { FineMoney } from '../../display/fine-rows.tsx'
import { useUiMessages } from '../../messages.ts'
import type { Column } from '../columns/column.ts'
import { type CellLook, showCutText } from '../columns/column-look.ts'
import classes from '../data-table.module.css'
import { FineColumns } from './fine-columns.ts'
import { RowMenu } from './row-menu.tsx'
import { isOwnClick, pointingAt, type RowProps } from './rows-props.ts'

interface GridRowProps<Row> extends RowProps<Row> {
  looks: readonly CellLook[]
  /** True if the table has a column for menus. */
  menus: boolean
  /** Its sheet is open beside the table. */
  current: boolean
}

type CellsProps<Row> = Pick<GridRowProps<Row>, 'row' | 'name' | 'menu' | 'menus' | 'columns' | 'looks' | 'opens' | 'on'>

const mostByDefault = 300

/** Figures are shown whole; other content is cut at the column's most width and whole on hover and focus. */
const CutCell = <Row,>({ column, row }: { column: Column<Row>; row: Row }) => {
  const fine = use(FineColumns)
  const content = column.cell(row)
  if (column.money && fine.split(' ').includes(column.id)) return <FineMoney value={true}>{content}</FineMoney>
  if (column.align || content === null || content === '') return content
  return (
    <span className={classes.cut} style={{ maxWidth: column.most ?? mostByDefault }} onPointerEnter={showCutText}>
      {content}
    </span>
  )
}

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
            <CutCell column={column} row={row} />
          </button>
        ) : (
          <CutCell column={column} row={row} />
        )}
        {column.beside?.(row)}
      </td>
    ))}
    {menus && <td className={classes.action}>{menu && <RowMenu name={name} actions={() => on.actions(row)} />}</td>}
  </>
)
// Memoized cells: selecting a row, moving the keyboard to it or shifting it by one does not draw them again.
const Cells = memo(AnyCells) as typeof AnyCells

const AnyGridRow = <Row,>({ index, active, current, selected, quiet, ...cells }: GridRowProps<Row>) => {
  const say = useUiMessages()
  const { row, opens, on } = cells
  const pointing = pointingAt(row, on.intent)
  return (
    <tr
      data-row={index}
      tabIndex={active ? 0 : -1}
      data-active={active || undefined}
      data-selected={selected || undefined}
      data-current={current || undefined}
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
