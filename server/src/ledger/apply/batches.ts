import type { Backlog } from '../backlog.ts'

/** Items on their way to a database, in batches, one at a time, until they arrive. */
interface Batches<T> {
  add(item: T): void
  /** How many have not arrived. */
  readonly waiting: number
  /** The one that has waited longest; undefined when none waits. */
  readonly oldest: T | undefined
  /** Resolves when none is left; waits as long as the database does not answer. */
  flush(): Promise<void>
  /** Ends after the batch that is on its way; what waits stays behind. */
  close(): Promise<void>
}

export interface BatchesParts<T> {
  readonly most: number
  /** How long the first item of a batch waits for company. */
  readonly delayMs: number
  /** Pause after a failure; doubles up to `longestRetryMs`. */
  readonly retryMs: number
  readonly longestRetryMs: number
  /** Puts a batch where it belongs. Throws when it could not; it is then given the items again. */
  work(items: readonly T[]): Promise<void>
  failed(error: unknown, batch: readonly T[]): void
  /** True if a failure is about the items: then there is nothing to wait for before they are tried apart. */
  readonly isAboutItems?: (error: unknown) => boolean
  /**
   * Puts an item that failed alone, for the `failures`-th time, somewhere else and takes it out of the line; false leaves it
   * in. Never rejects.
   */
  readonly refuse?: (item: T, error: unknown, failures: number) => Promise<boolean>
  /** Counts the items of these and other batches that have not arrived. */
  readonly backlog: Backlog
}

/**
 * After a failure batches are halved, down to one item, and that one is put at the end of the line: an item that the
 * database will never take cannot hold up the others for long, and `refuse` may take it out of the line. After a success they
 * grow again.
 */
export const openBatches = <T>(parts: BatchesParts<T>): Batches<T> => {
  const { backlog } = parts
  let queue: T[] = []
  let size = parts.most
  let retryMs = parts.retryMs
  let inFlight = 0
  let sent: T | undefined
  let closed = false
  let hurried = false
  let running: Promise<void> | undefined
  let wake: (() => void) | undefined
  const failuresAlone = new Map<T, number>()

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(done, ms)
      function done(): void {
        clearTimeout(timer)
        wake = undefined
        resolve()
      }
      wake = done
    })

  const forget = (batch: readonly T[]): void => {
    if (failuresAlone.size > 0) for (const item of batch) failuresAlone.delete(item)
  }

  const isRefused = async (batch: readonly T[], error: unknown): Promise<boolean> => {
    const [item] = batch
    if (item === undefined || batch.length > 1 || parts.refuse === undefined) return false
    const failures = (failuresAlone.get(item) ?? 0) + 1
    failuresAlone.set(item, failures)
    return parts.refuse(item, error, failures)
  }

  const next = async (): Promise<void> => {
    const batch = queue.slice(0, size)
    queue = queue.slice(batch.length)
    inFlight = batch.length
    sent = batch[0]
    try {
      await parts.work(batch)
      backlog.add(-batch.length)
      inFlight = 0
      sent = undefined
      size = Math.min(parts.most, size * 2)
      retryMs = parts.retryMs
      forget(batch)
    } catch (error) {
      const refused = await isRefused(batch, error)
      inFlight = 0
      sent = undefined
      if (refused) {
        backlog.add(-batch.length)
        return forget(batch)
      }
      queue = batch.length === 1 ? [...queue, ...batch] : [...batch, ...queue]
      size = Math.max(1, Math.floor(batch.length / 2))
      parts.failed(error, batch)
      if (batch.length > 1 && parts.isAboutItems?.(error) === true) return
      if (!closed) await pause(retryMs)
      retryMs = Math.min(parts.longestRetryMs, retryMs * 2)
    }
  }

  const run = async (): Promise<void> => {
    while (queue.length > 0 && !closed) {
      if (queue.length < size && !hurried) await pause(parts.delayMs)
      if (!closed) await next()
    }
    hurried = false
    running = undefined
  }

  return {
    add(item) {
      queue.push(item)
      backlog.waiting += 1
      if (backlog.waiting >= backlog.most) backlog.look()
      if (closed) return
      running ??= run()
      if (queue.length >= parts.most && size === parts.most && inFlight === 0) wake?.()
    },
    get waiting() {
      return queue.length + inFlight
    },
    get oldest() {
      return inFlight > 0 ? sent : queue[0]
    },
    async flush() {
      if (running === undefined) return
      hurried = true
      wake?.()
      await running
    },
    async close() {
      closed = true
      wake?.()
      await running
    },
  }
}
