import { type PointerEvent, type RefObject, useRef } from 'react'

interface Handle {
  onPointerDown: (event: PointerEvent<HTMLElement>) => void
  onPointerMove: (event: PointerEvent<HTMLElement>) => void
  onPointerUp: (event: PointerEvent<HTMLElement>) => void
  onPointerCancel: (event: PointerEvent<HTMLElement>) => void
}

/** How many items of the list have their middle above this height. */
const placeAt = (list: HTMLElement, height: number, except: HTMLElement): number =>
  [...list.children].filter((item) => {
    const { top, height: tall } = item.getBoundingClientRect()
    return item !== except && top + tall / 2 < height
  }).length

/**
 * Items of a list that are moved by a handle, with mouse, pen or finger: the item follows at once. `onMove` is told the
 * place among the items of the list.
 */
export const useDragOrder = (
  list: RefObject<HTMLElement | null>,
  onMove: (id: string, place: number) => void,
): ((id: string) => Handle) => {
  const dragged = useRef<string>(undefined)
  const stop = (): void => {
    dragged.current = undefined
  }
  return (id) => ({
    onPointerDown: (event) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture?.(event.pointerId)
      dragged.current = id
    },
    onPointerMove: (event) => {
      const item = event.currentTarget.closest('li')
      if (dragged.current !== id || !list.current || !item) return
      const place = placeAt(list.current, event.clientY, item)
      if (place !== [...list.current.children].indexOf(item)) onMove(id, place)
    },
    onPointerUp: stop,
    onPointerCancel: stop,
  })
}
