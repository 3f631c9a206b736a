/** One place of a channel that takes few calls at a time; `leave` it once. */
export type LeaveSlot = () => void

/** A call that waits for its place. */
export interface WaitingForSlot {
  /** Resolves with the place; undefined where none was free in time, or the call has left. */
  readonly entered: Promise<LeaveSlot | undefined>
  leave(): void
}

export interface Slots {
  /** Synchronous where a slot is free and the queue is empty; otherwise first come, first served. */
  enter(channelId: number, size: number, longestMs: number): LeaveSlot | WaitingForSlot
}

interface Queue {
  running: number
  readonly waiting: Set<(leave: LeaveSlot | undefined) => void>
}

/** Places of this process. Calls beyond them wait in the order in which they came; `longestMs` 0 is without end. */
export const openSlots = (): Slots => {
  const queues = new Map<number, Queue>()

  const placeIn = (channelId: number, queue: Queue): LeaveSlot => {
    let left = false
    queue.running += 1
    return () => {
      if (left) return
      left = true
      queue.running -= 1
      const [next] = queue.waiting
      if (next !== undefined) next(placeIn(channelId, queue))
      else if (queue.running === 0) queues.delete(channelId)
    }
  }

  return {
    enter(channelId, size, longestMs) {
      const queue = queues.get(channelId) ?? { running: 0, waiting: new Set() }
      queues.set(channelId, queue)
      if (queue.running < size && queue.waiting.size === 0) return placeIn(channelId, queue)
      const { promise, resolve } = Promise.withResolvers<LeaveSlot | undefined>()
      const settle = (leave: LeaveSlot | undefined): void => {
        queue.waiting.delete(settle)
        clearTimeout(timer)
        resolve(leave)
      }
      const timer = longestMs > 0 ? setTimeout(() => settle(undefined), longestMs) : undefined
      timer?.unref()
      queue.waiting.add(settle)
      return { entered: promise, leave: () => settle(undefined) }
    },
  }
}
