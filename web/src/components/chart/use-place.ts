import { type KeyboardEvent, type PointerEvent, useState } from 'react'

interface PlaceOptions {
  /** Number of points. */
  readonly count: number
  /** Opens a point. */
  readonly onChoose?: ((index: number) => void) | undefined
  /** Narrows down to the points from one to another: drawn over with the mouse, or with the shift key held. */
  readonly onBrush?: ((first: number, last: number) => void) | undefined
  /** The point at a share (0 to 1) of the width; points have bands of the same width where absent. */
  readonly pointAt?: (share: number) => number
}

/** Point under the pointer or chosen with the arrow keys, and the anchor of a range that is being selected. */
export const usePlace = ({ count, onChoose, onBrush, pointAt }: PlaceOptions) => {
  const [at, setAt] = useState<number>()
  const [held, setHeld] = useState<number>()
  const active = at === undefined || at >= count ? undefined : at
  const anchor = held === undefined || held >= count ? active : held
  const first = Math.min(active ?? 0, anchor ?? 0)
  const last = Math.max(active ?? 0, anchor ?? 0)
  const placeOf = (event: PointerEvent<Element>): number => {
    const box = event.currentTarget.getBoundingClientRect()
    const share = (event.clientX - box.left) / box.width
    return Math.max(0, Math.min(count - 1, pointAt ? pointAt(share) : Math.floor(share * count)))
  }
  const take = (): void => {
    if (active === undefined) return
    setHeld(undefined)
    if (onBrush) onBrush(first, last)
    else onChoose?.(active)
  }
  const leave = (): void => {
    setAt(undefined)
    setHeld(undefined)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = Number(event.key === 'ArrowRight') - Number(event.key === 'ArrowLeft')
    if (by !== 0) {
      event.preventDefault()
      event.stopPropagation()
      setHeld(event.shiftKey && onBrush ? anchor : undefined)
      setAt(Math.max(0, Math.min(count - 1, (active ?? (by > 0 ? -1 : count)) + by)))
    }
    if (event.key === 'Enter' && active !== undefined) {
      // A table beside it would open its row.
      event.stopPropagation()
      take()
    }
    if (event.key === 'Escape') leave()
  }
  const handlers = {
    onPointerDown: (event: PointerEvent<Element>) => {
      if (!onBrush || event.button !== 0) return
      const place = placeOf(event)
      setAt(place)
      setHeld(place)
      // A selection that began in the chart continues outside of it.
      event.currentTarget.setPointerCapture?.(event.pointerId)
    },
    onPointerMove: (event: PointerEvent<Element>) => setAt(placeOf(event)),
    onPointerLeave: leave,
    onPointerCancel: leave,
    onPointerUp: () => held !== undefined && take(),
    onClick: () => onBrush || take(),
    onKeyDown,
    onBlur: leave,
  }
  return { active, first: active === undefined ? undefined : first, last, handlers }
}
