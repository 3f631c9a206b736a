import { useEffect, useReducer } from 'react'

const minuteMs = 60_000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

const tick = (): void => {
  for (const listener of listeners) listener()
}

/** Now in unix seconds; who asks is drawn anew every minute, by one timer for the whole page. */
export const useCurrentMinute = (): number => {
  const [, draw] = useReducer((count: number) => count + 1, 0)
  // The clock.
  useEffect(() => {
    listeners.add(draw)
    timer ??= setInterval(tick, minuteMs)
    return () => {
      listeners.delete(draw)
      if (listeners.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }, [])
  return Date.now() / 1000
}
