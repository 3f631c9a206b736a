export interface KeepAlive {
  /** Calls `send` whenever the time has passed again, until the answer is called. */
  start(send: () => void): () => void
}

const nothing = (): void => {}

/** One timer for all calls that wait for their upstream's first byte. `everyMs` 0 never sends. */
export const openKeepAlive = (everyMs: number): KeepAlive => {
  // All wait equally long, so the first in the map is always the next to be due.
  const waiting = new Map<() => void, number>()
  let timer: NodeJS.Timeout | undefined

  const arm = (): void => {
    const [due] = waiting.values()
    if (due === undefined) return
    timer = setTimeout(fire, Math.max(1, due - performance.now()))
    timer.unref()
  }

  const fire = (): void => {
    timer = undefined
    const now = performance.now()
    const dueNow = [...waiting].filter(([, due]) => due <= now)
    for (const [send] of dueNow) {
      waiting.delete(send)
      waiting.set(send, now + everyMs)
      send()
    }
    arm()
  }

  if (everyMs <= 0) return { start: () => nothing }
  return {
    start(send) {
      waiting.set(send, performance.now() + everyMs)
      if (timer === undefined) arm()
      return () => {
        waiting.delete(send)
      }
    },
  }
}
