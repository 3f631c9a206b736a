import { Checkbox, Skeleton } from '@mantine/core'
import { useUiWords } from '../messages.ts'
import classes from './cards.module.css'
import { isOwnClick, type RowsProps } from './grid.tsx'
import { RowMenu } from './row-menu.tsx'

const Card = <Row,>({ row, index, ...props }: RowsProps<Row> & { row: Row; index: number }) => {
  const say = useUiWords()
  const { selection, actionsOf, onOpen } = props
  const id = props.idOf(row)
  const heads = props.columns.filter(
    (column, place) => column.card === 'title' || (place === 0 && column.card !== 'none'),
  )
  const facts = props.columns.filter((column) => !heads.includes(column) && column.card !== 'none')
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the card's title is a button that does the same
    <li
      className={classes.card}
      data-row={index}
      data-selected={selection?.has(id) || undefined}
      data-quiet={props.isQuiet(row) || undefined}
      onClick={(event) => {
        if (onOpen && !isOwnClick(event)) onOpen(row)
      }}
    >
      <div className={classes.head}>
        {selection && (
          <Checkbox
            className={classes.box}
            aria-label={say('selectRow', { name: props.nameOf(row) })}
            checked={selection.has(id)}
            onChange={() => selection.toggle(row)}
          />
        )}
        <div className={classes.titles}>
          {heads.map((column, place) =>
            place === 0 && onOpen ? (
              <button key={column.id} type="button" className={classes.open} onClick={() => onOpen(row)}>
                {column.cell(row)}
              </button>
            ) : (
              <span key={column.id}>{column.cell(row)}</span>
            ),
          )}
        </div>
        {actionsOf && actionsOf(row).length > 0 && <RowMenu name={props.nameOf(row)} actions={() => actionsOf(row)} />}
      </div>
      <dl className={classes.facts}>
        {facts.map((column) => {
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
    </li>
  )
}

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
      : props.rows.map((row, index) => <Card key={props.idOf(row)} {...props} row={row} index={index} />)}
  </ul>
)
