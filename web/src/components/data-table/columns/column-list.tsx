import { ActionIcon, Checkbox } from '@mantine/core'
import { ownMember } from '@tollgate/contract/own-member'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { TableLayout } from '../../../lib/api/contract.ts'
import { Icon } from '../../display/icon.tsx'
import type { Column } from './column.ts'
import { useColumnMessages } from './column-messages.ts'
import classes from './columns.module.css'
import { useDragOrder } from './drag-order.ts'
import { type Side, withMoved, withPinned, withToggled } from './layout.ts'

interface ColumnListProps<Row> {
  columns: readonly Column<Row>[]
  layout: TableLayout
  onChange: (layout: TableLayout) => void
}

/** The columns from left to right: each is shown or hidden, moved by its handle, and pinned to a side. The first one stays. */
export const ColumnList = <Row,>({ columns, layout, onChange }: ColumnListProps<Row>) => {
  const say = useColumnMessages()
  const list = useRef<HTMLUListElement>(null)
  const [announcement, setAnnouncement] = useState('')
  const nameOf = (id: string): string => columns.find((column) => column.id === id)?.header ?? id
  const movable = layout.order.slice(1)

  /** `place` counts among the columns that can be moved. */
  const move = (id: string, place: number): void => {
    if (place < 0 || place >= movable.length) return
    onChange(withMoved(layout, id, place + 1))
    setAnnouncement(say('place', { name: nameOf(id), place: place + 2, total: layout.order.length }))
  }
  const dragOf = useDragOrder(list, move)
  const onArrow = (event: KeyboardEvent, id: string): void => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (by === 0) return
    event.preventDefault()
    move(id, movable.indexOf(id) + by)
  }
  const pin = (id: string, side: Side, icon: 'left' | 'right') => {
    const on = ownMember(layout.pins, id) === side
    return (
      <ActionIcon
        size={24}
        className={classes.pin}
        aria-pressed={on}
        aria-label={say(side === 'left' ? 'pinLeft' : 'pinRight', { name: nameOf(id) })}
        onClick={() => onChange(withPinned(layout, id, on ? undefined : side))}
      >
        <Icon name={icon} size={12} />
      </ActionIcon>
    )
  }
  return (
    <>
      <ul ref={list} className={classes.list} aria-label={say('list')}>
        {movable.map((id) => (
          <li key={id}>
            <button
              type="button"
              className={classes.handle}
              aria-label={say('move', { name: nameOf(id) })}
              title={say('moveHint')}
              onKeyDown={(event) => onArrow(event, id)}
              {...dragOf(id)}
            >
              <Icon name="menu" size={12} />
            </button>
            <Checkbox
              size="xs"
              label={nameOf(id)}
              checked={!layout.hidden.includes(id)}
              onChange={() => onChange(withToggled(layout, id))}
            />
            <span className={classes.grow} />
            {pin(id, 'left', 'left')}
            {pin(id, 'right', 'right')}
          </li>
        ))}
      </ul>
      <p className="visually-hidden" aria-live="polite">
        {announcement}
      </p>
    </>
  )
}
