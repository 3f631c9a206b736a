interface Entry {
  readonly exclusive: boolean
  start(): void
}

/**
 * The order in front of the writer: single writes pass at once (the thread keeps their order), a transaction has the
 * writer alone until it releases it. First come, first served.
 */
export interface WriterQueue {
  /** Starts `task` as soon as no transaction holds the writer. */
  pass<T>(task: () => Promise<T>): Promise<T>
  /** Takes the writer; resolves to the function that releases it, harmless when called twice. */
  take(): Promise<() => void>
  /** No transaction holds the writer and nothing waits for it. */
  isFree(): boolean
}

export const createWriterQueue = ({ waitLimitMs }: { waitLimitMs: number }): WriterQueue => {
  const waiting: Entry[] = []
  let taken = false

  const admit = (): void => {
    while (!taken) {
      const next = waiting.shift()
      if (next === undefined) return
      taken = next.exclusive
      next.start()
    }
  }

  // Without a limit, a write inside a transaction that does not use its trx would wait for itself forever.
  const enter = (exclusive: boolean, start: () => void, reject: (error: Error) => void): void => {
    if (!taken && waiting.length === 0) {
      taken = exclusive
      start()
      return
    }
    const entry: Entry = {
      exclusive,
      start: () => {
        clearTimeout(timer)
        start()
      },
    }
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(entry), 1)
      reject(
        new Error(`Waited ${waitLimitMs} ms for the SQLite writer; does a transaction write without using its trx?`),
      )
    }, waitLimitMs)
    waiting.push(entry)
  }

  const leaveOnce = (): (() => void) => {
    let left = false
    return () => {
      if (left) return
      left = true
      taken = false
      admit()
    }
  }

  return {
    pass: (task) => new Promise((resolve, reject) => enter(false, () => resolve(task()), reject)),
    isFree: () => !taken && waiting.length === 0,
    take: () => new Promise((resolve, reject) => enter(true, () => resolve(leaveOnce()), reject)),
  }
}
