import type { Cell } from './protocol.ts'
import type { Outcome, Thread } from './thread.ts'

/** One writer and some readers on one file. A thread that died is replaced when it is next needed. */
export interface Threads {
  writer(): Thread
  /** The reader with the least to do; undefined when there are none. */
  reader(): Thread | undefined
  /** Tells all threads that the schema changed. */
  forget(): void
  close(): Promise<void>
}

/** Starts the threads; `start` makes one. */
export const openThreads = async (
  start: (how: { readOnly: boolean }) => Thread,
  readerCount: number,
): Promise<Threads> => {
  let writer = start({ readOnly: false })
  // Readers cannot create the file.
  await writer.query('select 1', [])
  const readers = Array.from({ length: readerCount }, () => start({ readOnly: true }))
  let isClosed = false
  const isLost = (thread: Thread): boolean => !isClosed && !thread.isAlive()

  return {
    writer: () => {
      if (isLost(writer)) writer = start({ readOnly: false })
      return writer
    },
    reader: () => {
      readers.forEach((reader, index) => {
        if (isLost(reader)) readers[index] = start({ readOnly: true })
      })
      return readers.reduce<Thread | undefined>(
        (least, reader) => (least === undefined || reader.pending() < least.pending() ? reader : least),
        undefined,
      )
    },
    forget: () => {
      for (const thread of [writer, ...readers]) thread.forget()
    },
    close: async () => {
      isClosed = true
      await Promise.all(readers.map((reader) => reader.close()))
      await writer.close()
    },
  }
}

export type { Cell, Outcome, Thread }
