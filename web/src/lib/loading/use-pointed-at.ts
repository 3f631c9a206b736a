import { type FocusEvent, type PointerEvent, useEffect, useMemo, useRef } from 'react'
import { useLatest } from './latest.ts'
import { intentDelayMs } from './may-read-ahead.ts'

/** Listeners for elements that represent a `T`. */
export interface PointedAt<T> {
  enter: (thing: T, event: PointerEvent) => void
  focus: (thing: T, event: FocusEvent) => void
  leave: () => void
}

/** Acts once the pointer or the keyboard's focus has stayed for a moment. Fingers scroll, they do not point. */
export const usePointedAt = <T>(act: ((thing: T) => void) | undefined): PointedAt<T> => {
  const latest = useLatest(act)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useMemo(() => {
    const leave = (): void => clearTimeout(timer.current)
    const wait = (thing: T): void => {
      leave()
      timer.current = setTimeout(() => latest.current?.(thing), intentDelayMs)
    }
    return {
      leave,
      enter: (thing, { pointerType }) => {
        if (pointerType !== 'touch') wait(thing)
      },
      // A closing sheet returns the focus: that is not the user's intent.
      focus: (thing, { target }) => {
        if (target.matches(':focus-visible')) wait(thing)
      },
    }
  }, [latest])
}
