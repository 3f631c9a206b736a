import { Checkbox, Skeleton } from '@mantine/core'
import type { MouseEvent } from 'react'
import type { Sort } from '../../lib/url-state.ts'
import { Icon } from '../icon.tsx'
import { useUiWords } from '../messages.ts'
import type { Column, RowAction } from './column.ts'
import classes from './data-table.module.css'
import { RowMenu } from './row-menu.tsx'
import type { Selection } from './selection.ts'

/** What the table and its cards need to draw rows. */
export interface RowsProps<Row> {
  title: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  idOf: (row: Row) => string
  nameOf: (row: Row) => string
  isQuiet: (row: Row) => boolean
  selection: Selection<Row> | undefined
  actionsOf: ((row: Row) => readonly RowAction[]) | undefined
  onOpen: ((row: Row) => void) | undefined
  onContext: (row: Row, event: MouseEvent) => void
  active: number
  sort: Sort | undefined
  onSort: (sort: Sort | undefined) => void
  /** Grey rows to draw while the first answer is on its way. */
  waiting: number
}

/** Clicks on what has a purpose of its own do not open the row; nor does the end of selecting text. */
export const isOwnClick = (event: MouseEvent): boolean =>
  (event.target instanceof Element && event.target.closest('button, a, input, label, [role=menu]') !== null) ||
  (window.getSelection()?.toString() ?? '') !== ''

/** First click sorts, second turns round, third goes back to the list's own order. */
const nextSort = (column: string, sort: Sort | undefined): Sort | undefined => {
  if (sort?.column !== column) return { column, descending: true }
  return sort.descending ? { column, descending: false } : undefined
}

const HeaderCell = <Row,>({
  column,
  sort,
  onSort,
}: { column: Column<Row> } & Pick<RowsProps<Row>, 'sort' | 'onSort'>) => {
  const say = useUiWords()
  const sorted = sort?.column === column.id ? sort : undefined
  const order = sorted ? (sorted.descending ? 'descending' : 'ascending') : 'none'
  return (
    <th
      scope="col"
      data-align={column.align}
      style={column.width ? { minWidth: column.width } : undefined}
      {...(column.sortable ? { 'aria-sort': order } : {})}
    >
      {column.sortable ? (
        <button
          type="button"
          className={classes.sort}
          data-on={sorted !== undefined || undefined}
          title={say('sortBy', { name: column.header })}
          onClick={() => onSort(nextSort(column.id, sort))}
        >
          {column.header}
          <Icon name={sorted && !sorted.descending ? 'up' : 'down'} size={10} />
        </button>
      ) : (
        column.header
      )}
    </th>
  )
}

const WaitingRows = <Row,>(props: RowsProps<Row>) =>
  Array.from({ length: props.waiting }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: grey rows have no identity
    <tr key={index} className={classes.waiting}>
      {props.selection && (
        <td className={classes.box}>
          <Skeleton h={16} w={16} />
        </td>
      )}
      {props.columns.map((column) => (
        <td key={column.id} data-align={column.align}>
          <Skeleton h={12} w={column.align ? 48 : '70%'} display="inline-block" />
        </td>
      ))}
      {props.actionsOf && <td className={classes.action} />}
    </tr>
  ))

const GridRow = <Row,>({ row, index, ...props }: RowsProps<Row> & { row: Row; index: number }) => {
  const say = useUiWords()
  const { selection, actionsOf, onOpen } = props
  const id = props.idOf(row)
  return (
    <tr
      data-row={index}
      tabIndex={props.active === index ? 0 : -1}
      data-active={props.active === index || undefined}
      data-selected={selection?.has(id) || undefined}
      data-quiet={props.isQuiet(row) || undefined}
      data-opens={onOpen ? true : undefined}
      onClick={(event) => {
        if (onOpen && !isOwnClick(event)) onOpen(row)
      }}
      onContextMenu={(event) => props.onContext(row, event)}
    >
      {selection && (
        <td className={classes.box}>
          <Checkbox
            size="xs"
            aria-label={say('selectRow', { name: props.nameOf(row) })}
            checked={selection.has(id)}
            onChange={() => undefined}
            onClick={(event) => selection.toggle(row, { range: event.shiftKey })}
          />
        </td>
      )}
      {props.columns.map((column, place) => (
        <td key={column.id} data-align={column.align} className={column.align ? 'num' : undefined}>
          {place === 0 && onOpen ? (
            <button type="button" className={classes.open} onClick={() => onOpen(row)}>
              {column.cell(row)}
            </button>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
      {actionsOf && (
        <td className={classes.action}>
          {actionsOf(row).length > 0 && <RowMenu name={props.nameOf(row)} actions={() => actionsOf(row)} />}
        </td>
      )}
    </tr>
  )
}

/** Rows as a table, for screens wide enough. */
export const Grid = <Row,>(props: RowsProps<Row>) => {
  const say = useUiWords()
  const { selection } = props
  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-label={props.title} aria-busy={props.waiting > 0}>
        <thead>
          <tr>
            {selection && (
              <th className={classes.box}>
                <Checkbox
                  size="xs"
                  aria-label={say('selectAll')}
                  checked={selection.page === 'all'}
                  indeterminate={selection.page === 'some'}
                  onChange={selection.togglePage}
                />
              </th>
            )}
            {props.columns.map((column) => (
              <HeaderCell key={column.id} column={column} sort={props.sort} onSort={props.onSort} />
            ))}
            {props.actionsOf && (
              <th className={classes.action}>
                <span className="visually-hidden">{say('actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {props.waiting > 0 ? (
            <WaitingRows {...props} />
          ) : (
            props.rows.map((row, index) => <GridRow key={props.idOf(row)} {...props} row={row} index={index} />)
          )}
        </tbody>
      </table>
    </div>
  )
}
