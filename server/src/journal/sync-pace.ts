/** When written bytes are brought to the disk. */
export type JournalSync = 'off' | 'group' | 'always'

export interface SyncPaceParts {
  /** One sync of everything that waits; calls `done` once, never throws. */
  work(done: () => void): void
  /** Least time between the starts of two syncs, so that one covers the records of many calls. Milliseconds. */
  readonly restMs: number
  /** Longest wait of bytes that no answer waits for. Milliseconds. */
  readonly lazyMs: number
}

/** Starts syncs, one at a time. */
export interface SyncPace {
  /** True while a sync is running, or due within `restMs`: new records then need not request one. */
  readonly isNear: boolean
  /** A sync starts now, or `restMs` after the one before started, or when the running one ends. */
  soon(): void
  /** A sync starts within `lazyMs`. */
  later(): void
  /** Stops the timer and resolves when the running sync has ended; starts none afterwards. */
  stop(): Promise<void>
}

export const openSyncPace = ({ work, restMs, lazyMs }: SyncPaceParts): SyncPace => {
  let running = false
  let timer: NodeJS.Timeout | undefined
  let startedAt = Number.NEGATIVE_INFINITY
  let dueAt = Number.POSITIVE_INFINITY
  let stopped: (() => void) | undefined

  const start = (): void => {
    clearTimeout(timer)
    startedAt = performance.now()
    dueAt = Number.POSITIVE_INFINITY
    running = true
    work(ended)
  }

  const ended = (): void => {
    running = false
    if (stopped === undefined) schedule()
    else stopped()
  }

  const schedule = (): void => {
    if (dueAt === Number.POSITIVE_INFINITY) return
    clearTimeout(timer)
    const wait = dueAt - performance.now()
    if (wait <= 0) start()
    else timer = setTimeout(start, wait)
  }

  const startAt = (moment: number): void => {
    if (moment >= dueAt) return
    dueAt = moment
    if (!running && stopped === undefined) schedule()
  }

  return {
    get isNear() {
      return dueAt <= startedAt + restMs
    },
    soon: () => startAt(startedAt + restMs),
    later: () => startAt(performance.now() + lazyMs),
    stop: () =>
      new Promise((resolve) => {
        stopped = resolve
        clearTimeout(timer)
        if (!running) resolve()
      }),
  }
}
