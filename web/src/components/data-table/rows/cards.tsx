import { Checkbox, Skeleton } from '@mantine/core'
import { Fragment, memo } from 'react'
import { useUiMessages } from '../../messages.ts'
import type { Column } from '../columns/column.ts'
import classes from './cards.module.css'
import { RowMenu } from './row-menu.tsx'
import { isOwnClick, pointingAt, type RowProps, type RowsProps } from './rows-props.ts'

/** True if a column is the card's heading; by default the first one is. */
const isTitle = ({ card }: Pick<Column<never>, 'card'>, place: number): boolean =>
  card === 'title' || (place === 0 && card !== 'none')

type ContentProps<Row> = Pick<RowProps<Row>, 'row' | 'name' | 'menu' | 'columns' | 'opens' | 'on'>

const AnyHead = <Row,>({ row, name, menu, columns, opens, on }: ContentProps<Row>) => (
  <>
    <div className={classes.titles}>
      {columns.filter(isTitle).map((column, place) => (
        <Fragment key={column.id}>
          {place === 0 && opens ? (
            <button type="button" className={classes.open} onClick={() => on.open(row)}>
              {column.cell(row)}
            </button>
          ) : (
            <span>{column.cell(row)}</span>
          )}
          {column.beside?.(row)}
        </Fragment>
      ))}
    </div>
    {menu && <RowMenu name={name} actions={() => on.actions(row)} />}
  </>
)
const Head = memo(AnyHead) as typeof AnyHead

const AnyFacts = <Row,>({ row, columns }: Pick<ContentProps<Row>, 'row' | 'columns'>) => (
  <dl className={classes.facts}>
    {columns.map((column, place) => {
      if (isTitle(column, place) || column.card === 'none') return null
      const fact = column.cell(row)
      if (fact === null || fact === '') return null
      return (
        <div key={column.id}>
          <dt>{column.header}</dt>
          <dd className={column.align ? 'num' : undefined}>{fact}</dd>
        </div>
      )
    })}
  </dl>
)
const Facts = memo(AnyFacts) as typeof AnyFacts

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
      <div className={classes.head}>
        {selected !== undefined && (
          <Checkbox
            className={classes.box}
            aria-label={say('selectRow', { name })}
            checked={selected}
            onChange={() => on.toggle(row)}
          />
        )}
        <Head {...content} />
      </div>
      <Facts row={row} columns={content.columns} />
    </li>
  )
}
const Card = memo(AnyCard) as typeof AnyCard

/** Rows as cards with labelled facts, for phones. */
export const Cards = <Row,>(props: RowsProps<Row>) => (
  <ul className={classes.cards} aria-label={props.title} aria-busy={props.waiting > 0}>
    {props.waiting > 0
      ? Array.from({ length: Math.min(props.waiting, 5) }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: grey cards have no identity
          <li key={index} className={classes.card}>
            <Skeleton h={18} w="50%" mb={12} />
            <Skeleton h={12} mb={8} />
            <Skeleton h={12} w="80%" />
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
