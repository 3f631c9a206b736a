import { type RefObject, useEffect, useState } from 'react'

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
