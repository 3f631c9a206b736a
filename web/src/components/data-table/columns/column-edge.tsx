import { ownMember } from '@tollgate/contract/own-member'
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { leastColumnWidth, mostColumnWidth } from '../../../lib/api/contract.ts'
import { useColumnMessages } from './column-messages.ts'
import classes from './columns.module.css'

/** The parts of a header that let a user change the column's width. */
export interface Resizing {
  readonly widths: Readonly<Record<string, number>>
  /** While the edge is dragged: drawn, not kept. */
  readonly onDrag: (id: string, width: number) => void
  /** Undefined fits the width to the column's content. */
  readonly onKeep: (id: string, width: number | undefined) => void
}

const [step, largeStep] = [8, 40]

const fitting = (width: number): number => Math.round(Math.max(leastColumnWidth, Math.min(width, mostColumnWidth)))

const widthOf = (edge: Element): number => edge.closest('th')?.getBoundingClientRect().width ?? 0

const keyWidth = (event: KeyboardEvent, width: number): number | undefined => {
  const by = event.shiftKey ? largeStep : step
  if (event.key === 'ArrowLeft') return fitting(width - by)
  if (event.key === 'ArrowRight') return fitting(width + by)
  if (event.key === 'Home') return leastColumnWidth
  return event.key === 'End' ? mostColumnWidth : undefined
}

/** The right edge of a header: dragged, or moved with the arrow keys; a double click or Enter gives the width back. */
export const ColumnEdge = (props: { id: string; name: string; resizing: Resizing }) => {
  const say = useColumnMessages()
  const { id, resizing } = props
  const width = ownMember(resizing.widths, id)
  const drag = useRef<{ from: number; width: number; moved: boolean }>(undefined)

  const onPointerDown = (event: PointerEvent<HTMLHRElement>): void => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture?.(event.pointerId)
    drag.current = { from: event.clientX, width: widthOf(event.currentTarget), moved: false }
  }
  const dragged = (event: PointerEvent): number | undefined =>
    drag.current && fitting(drag.current.width + event.clientX - drag.current.from)
  const onPointerMove = (event: PointerEvent): void => {
    const next = dragged(event)
    if (next === undefined || !drag.current || event.clientX === drag.current.from) return
    drag.current.moved = true
    resizing.onDrag(id, next)
  }
  const onPointerUp = (event: PointerEvent): void => {
    const next = dragged(event)
    if (drag.current?.moved && next !== undefined) resizing.onKeep(id, next)
    drag.current = undefined
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = keyWidth(event, width ?? widthOf(event.currentTarget))
    if (next !== undefined) resizing.onKeep(id, next)
    else if (event.key === 'Enter') resizing.onKeep(id, undefined)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <hr
      className={classes.edge}
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={say('widthOf', { name: props.name })}
      aria-valuemin={leastColumnWidth}
      aria-valuemax={mostColumnWidth}
      aria-valuenow={width ?? leastColumnWidth}
      aria-valuetext={width === undefined ? say('widthOwn') : say('widthPixels', { count: width })}
      title={say('widthHint')}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onDoubleClick={() => resizing.onKeep(id, undefined)}
      onKeyDown={onKeyDown}
    />
  )
}
