import { useLayoutEffect, useRef, useState } from 'react'

const usualWidth = 900

/** Width of an element in pixels, while it is drawn; no less than 240. */
export const useWidth = () => {
  const element = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(usualWidth)
  useLayoutEffect(() => {
    const { current } = element
    if (current === null || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.max(240, entry.contentRect.width)))
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return { element, width }
}
