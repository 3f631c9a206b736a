import type { SqliteValue } from './protocol.ts'
import type { StatementOutcome, Thread } from './thread.ts'

/** One writer and some readers on one file. A thread that died is replaced when it is next needed. */
export interface Threads {
  writer(): Thread
  /** The reader with the least to do, a new one while all are busy; undefined when there are none. */
  reader(): Thread | undefined
  /** The writer answers a quick question at once, or sooner than a thread that would have to begin for it. */
  answersSoon(): boolean
  /** Tells all threads that the schema changed. */
  forget(): void
  /** Ends readers that were idle since the last time. */
  endIdle(): void
  /** From now on there are readers, where the threads were opened with `readersLater`. */
  startReading(): void
  close(): Promise<void>
}

/** Questions that the writer may have before it: a thread takes longer to begin. */
const shortQueue = 8

/** Milliseconds between checks for idle readers. */
const lookEveryMs = 10_000

/**
 * Starts the writer, and up to `mostReaders` when they are needed: each takes about 9 MB and as much processor time as a tenth of a
 * start, and ends when it is idle. `start` makes a thread. With `readersLater` the writer answers alone until
 * `startReading`.
 */
export const openThreads = async (
  start: (how: { readOnly: boolean }) => Thread,
  mostReaders: number,
  { readersLater = false }: { readersLater?: boolean } = {},
): Promise<Threads> => {
  let writer = start({ readOnly: false })
  // Readers cannot create the file.
  await writer.query('select 1', [])
  const readers: Thread[] = []
  /** Since the last look. */
  const asked = new Set<Thread>()
  let isClosed = false
  let mayRead = !readersLater
  const isLost = (thread: Thread): boolean => !isClosed && !thread.isAlive()

  const endIdle = (): void => {
    for (const reader of [...readers]) {
      if (asked.has(reader) || reader.pending() > 0) continue
      readers.splice(readers.indexOf(reader), 1)
      // One that died has nothing to end.
      reader.close().catch(() => undefined)
    }
    asked.clear()
  }
  const timer = setInterval(endIdle, lookEveryMs)
  timer.unref()

  const livingWriter = (): Thread => {
    if (isLost(writer)) writer = start({ readOnly: false })
    return writer
  }

  return {
    writer: livingWriter,
    answersSoon: () => livingWriter().pending() < (readers.length === 0 ? shortQueue : 1),
    reader: () => {
      if (isClosed || !mayRead) return undefined
      readers.forEach((reader, index) => {
        if (isLost(reader)) readers[index] = start({ readOnly: true })
      })
      const least = readers.reduce<Thread | undefined>(
        (best, reader) => (best === undefined || reader.pending() < best.pending() ? reader : best),
        undefined,
      )
      if (least !== undefined && (least.pending() === 0 || readers.length >= mostReaders)) {
        asked.add(least)
        return least
      }
      if (mostReaders === 0) return undefined
      const fresh = start({ readOnly: true })
      asked.add(fresh)
      readers.push(fresh)
      return fresh
    },
    forget: () => {
      for (const thread of [writer, ...readers]) thread.forget()
    },
    endIdle,
    startReading: () => {
      mayRead = true
    },
    close: async () => {
      isClosed = true
      clearInterval(timer)
      await Promise.all(readers.map((reader) => reader.close()))
      await writer.close()
    },
  }
}

export type { SqliteValue, StatementOutcome, Thread }
