import { Checkbox, Skeleton } from '@mantine/core'
import { memo, type ReactNode } from 'react'
import { useUiMessages } from '../../messages.ts'
import type { Column } from '../columns/column.ts'
import classes from './cards.module.css'
import { RowMenu } from './row-menu.tsx'
import { isOwnClick, pointingAt, type RowProps, type RowsProps } from './rows-props.ts'

type Place = 'title' | 'amount' | 'fact' | 'field' | 'none'

/** Position of each column on a phone's card; if no column is the title, the list's first one is. */
const placesOf = (columns: readonly Pick<Column<never>, 'card'>[]): readonly Place[] => {
  const isTitled = columns.some(({ card }) => card === 'title')
  return columns.map(({ card = 'fact' }, place) => (!isTitled && place === 0 && card === 'fact' ? 'title' : card))
}

type ContentProps<Row> = Pick<RowProps<Row>, 'row' | 'name' | 'menu' | 'columns' | 'opens' | 'on'>

const contentOf = <Row,>(column: Column<Row>, row: Row): ReactNode => (column.cardCell ?? column.cell)(row)

const isEmpty = (content: ReactNode): boolean => content === null || content === undefined || content === ''

const AnyLines = <Row,>({ row, name, menu, columns, opens, on }: ContentProps<Row>) => {
  const places = placesOf(columns)
  const at = (place: Place): readonly Column<Row>[] => columns.filter((_, index) => places[index] === place)
  const [first, ...titles] = at('title')
  const facts = at('fact').filter((column) => !isEmpty(contentOf(column, row)))
  const fields = at('field').filter((column) => !isEmpty(contentOf(column, row)))
  const title = first && contentOf(first, row)
  return (
    <>
      <div className={classes.lines}>
        <div className={classes.first}>
          <div className={classes.titles}>
            {opens ? (
              <button type="button" className={classes.open} onClick={() => on.open(row)}>
                {title}
              </button>
            ) : (
              <span className={classes.open}>{title}</span>
            )}
            {first?.beside?.(row)}
            {titles.map((column) => (
              <span key={column.id} className={classes.title}>
                {contentOf(column, row)}
                {column.beside?.(row)}
              </span>
            ))}
          </div>
          {at('amount').map((column) => (
            <span key={column.id} className={`num ${classes.amount}`}>
              {contentOf(column, row)}
            </span>
          ))}
        </div>
        {facts.length > 0 && (
          <dl className={classes.facts}>
            {facts.map((column) => (
              <div key={column.id}>
                <dt className={column.align && !column.cardCell ? classes.label : 'visually-hidden'}>
                  {column.header}
                </dt>
                <dd className={column.align ? 'num' : undefined}>
                  {contentOf(column, row)}
                  {column.beside?.(row)}
                </dd>
              </div>
            ))}
          </dl>
        )}
        {fields.length > 0 && (
          <dl className={classes.fields}>
            {fields.map((column) => (
              <div key={column.id}>
                <dt>{column.header}</dt>
                <dd>{contentOf(column, row)}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
      {menu && <RowMenu name={name} actions={() => on.actions(row)} />}
    </>
  )
}
const Lines = memo(AnyLines) as typeof AnyLines

const AnyCard = <Row,>({ index, selected, quiet, active: _, ...content }: RowProps<Row>) => {
  const say = useUiMessages()
  const { row, name, opens, on } = content
  const pointing = pointingAt(row, on.intent)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the card's title is a button that does the same
    <li
      className={classes.card}
      data-row={index}
      data-selected={selected || undefined}
      data-quiet={quiet || undefined}
      onClick={(event) => {
        if (opens && !isOwnClick(event)) on.open(row)
      }}
      {...pointing}
    >
      {selected !== undefined && (
        <Checkbox
          className={classes.box}
          aria-label={say('selectRow', { name })}
          checked={selected}
          onChange={() => on.toggle(row)}
        />
      )}
      <Lines {...content} />
    </li>
  )
}
const Card = memo(AnyCard) as typeof AnyCard

/** Rows with two lines, for phones: name and amount above, the other facts below. */
export const Cards = <Row,>(props: RowsProps<Row>) => (
  <ul className={classes.cards} aria-label={props.title} aria-busy={props.waiting > 0}>
    {props.waiting > 0
      ? Array.from({ length: Math.min(props.waiting, 8) }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: grey cards have no identity
          <li key={index} className={classes.card}>
            <div className={classes.lines}>
              <Skeleton h={16} w="50%" mb={10} mt={4} />
              <Skeleton h={12} w="80%" />
            </div>
          </li>
        ))
      : props.rows.map(({ id, ...row }, index) => (
          <Card
            key={id}
            {...row}
            index={index}
            active={false}
            selected={props.selection?.has(id)}
            columns={props.columns}
            opens={props.opens}
            on={props.on}
          />
        ))}
  </ul>
)
