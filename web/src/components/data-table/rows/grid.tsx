import { Checkbox, Skeleton } from '@mantine/core'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useStatus } from '../../../lib/status.ts'
import type { Sort } from '../../../lib/url/url-state.ts'
import { Icon } from '../../display/icon.tsx'
import { useUiMessages } from '../../messages.ts'
import type { Column } from '../columns/column.ts'
import { ColumnEdge } from '../columns/column-edge.tsx'
import { type ColumnLook, useColumnLook } from '../columns/column-look.ts'
import classes from '../data-table.module.css'
import { FineColumns, fineColumns } from './fine-columns.ts'
import { GridRow } from './grid-row.tsx'
import type { RowsProps } from './rows-props.ts'

/** First click sorts, second turns round, third goes back to the list's own order. */
const nextSort = (column: string, sort: Sort | undefined): Sort | undefined => {
  if (sort?.column !== column) return { column, descending: true }
  return sort.descending ? { column, descending: false } : undefined
}

const HeaderCell = <Row,>({
  column,
  look,
  sort,
  onSort,
}: { column: Column<Row>; look: ColumnLook } & Pick<RowsProps<Row>, 'sort' | 'onSort'>) => {
  const say = useUiMessages()
  const sorted = sort?.column === column.id ? sort : undefined
  const order = sorted ? (sorted.descending ? 'descending' : 'ascending') : 'none'
  return (
    <th
      scope="col"
      aria-label={column.header}
      data-align={column.align}
      {...look.header(column)}
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
      <ColumnEdge id={column.id} name={column.header} resizing={look} />
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
      {props.menus && <td className={classes.action} />}
    </tr>
  ))

/** True while the content of a frame is not wider than the frame. */
export const useFits = (frame: RefObject<HTMLElement | null>): boolean => {
  const [fits, setFits] = useState(false)
  useEffect(() => {
    const outer = frame.current
    const inner = outer?.firstElementChild
    if (!outer || !inner) return undefined
    const observer = new ResizeObserver(() => setFits(inner.clientWidth <= outer.clientWidth))
    observer.observe(outer)
    observer.observe(inner)
    return () => observer.disconnect()
  }, [frame])
  return fits
}

/** Tables with more columns have narrower cells. */
const manyColumns = 9

/** Rows as a table, for screens wide enough. */
export const Grid = <Row,>(props: RowsProps<Row>) => {
  const say = useUiMessages()
  const { selection } = props
  const { quota_per_unit: perUnit } = useStatus()
  const table = useRef<HTMLTableElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const fits = useFits(frame)
  const look = useColumnLook(table, props)
  return (
    <div ref={frame} className={classes.scroll} data-fits={fits || undefined}>
      <table
        ref={table}
        className={`${classes.table} ${look.className}`}
        style={look.style}
        data-many={props.columns.length > manyColumns || undefined}
        aria-label={props.title}
        aria-busy={props.waiting > 0}
      >
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
              <HeaderCell key={column.id} column={column} look={look} sort={props.sort} onSort={props.onSort} />
            ))}
            {props.menus && (
              <th className={classes.action} data-action>
                <span className="visually-hidden">{say('actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {props.waiting > 0 ? (
            <WaitingRows {...props} />
          ) : (
            <FineColumns value={fineColumns(props.columns, props.rows, perUnit)}>
              {props.rows.map(({ id, ...row }, index) => (
                <GridRow
                  key={id}
                  {...row}
                  index={index}
                  active={props.active === index}
                  current={props.current === id}
                  selected={selection?.has(id)}
                  columns={props.columns}
                  looks={look.cells}
                  opens={props.opens}
                  menus={props.menus}
                  on={props.on}
                />
              ))}
            </FineColumns>
          )}
        </tbody>
      </table>
    </div>
  )
}
