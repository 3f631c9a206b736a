import { mkdirSync } from 'node:fs'
import { AppError } from '../lib/app-error.ts'
import type { Recorder } from '../relay/ports.ts'
import type { Booked } from './booked.ts'
import { openBookkeeping } from './bookkeeping.ts'
import { appliedLine, beginLine, endLine, progressLine } from './lines.ts'
import { lockDirectory } from './lock.ts'
import { type Leftovers, readLeftovers } from './replay.ts'
import { newSegment, openSegmentFile, type Segment, type SegmentFile } from './segments.ts'

export interface JournalParts {
  readonly directory: string
  /** A segment is closed at this size, or at this age when something is in it. */
  readonly segmentBytes?: number
  readonly segmentMs?: number
  /** Brings the file to the disk this often, against loss of power; 0 leaves that to the kernel. */
  readonly fsyncMs?: number
  /** How long to wait before trying again when the disk refused. */
  readonly retryMs?: number
  readonly now?: () => number
  readonly warn?: (message: string, fields: Readonly<Record<string, unknown>>) => void
  readonly openFile?: (segment: Segment) => SegmentFile
}

/** Finished requests on the local disk before their answer ends (docs/architecture.md "Money"). */
export interface Journal extends Omit<Recorder, 'end'> {
  /** Resolves when the record has reached the kernel, after `written` heard of it. */
  end(record: Booked, written?: (record: Booked) => void): Promise<void>
  /** The database has these; a segment is deleted when it has all of its ends. */
  applied(records: readonly Booked[]): void
  /** What earlier processes left behind. */
  replay(): Leftovers
  /** False from a refused write until one succeeds again: no new request may begin meanwhile. */
  readonly healthy: boolean
  close(): Promise<void>
}

interface Queued {
  readonly text: string
  /** Keeps its place when the disk refuses, to be written later. */
  readonly keep: boolean
  /** The request that begins with it. */
  readonly begins?: string
  written(segment: Segment): void
  refused?(error: AppError): void
}

const nothing = (): void => {}
const probeBytes = 65_536

const claim = (directory: string): (() => void) => {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    return lockDirectory(directory)
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code === undefined) throw cause
    throw new Error(`Cannot open the journal: ${message}; check DATA_DIR.`, { cause })
  }
}

/** Reads what is in `directory` and appends new segments to it. Throws while another process uses the directory. */
export const openJournal = async (parts: JournalParts): Promise<Journal> => {
  const { directory, segmentBytes = 8 * 1024 * 1024, segmentMs = 30_000, fsyncMs = 0, retryMs = 1000 } = parts
  const { now = Date.now, warn = nothing, openFile = openSegmentFile } = parts
  const unlock = claim(directory)
  const leftovers = await readLeftovers(directory, warn)
  const books = openBookkeeping(leftovers)

  let file: SegmentFile | undefined
  let openedAt = 0
  let dirty = false
  let queue: Queued[] = []
  let scheduled = false
  let healthy = true
  let closed = false

  const closeFile = (): void => {
    syncDirty()
    file?.close()
    file = undefined
  }

  const syncDirty = (): void => {
    if (fsyncMs > 0 && dirty) file?.sync()
    dirty = false
  }

  const isDue = ({ segment, torn }: SegmentFile): boolean =>
    torn || segment.bytes >= segmentBytes || (segment.bytes > 0 && now() - openedAt >= segmentMs)

  const currentFile = (): SegmentFile => {
    if (file !== undefined && isDue(file)) closeFile()
    if (file !== undefined) return file
    const segment = newSegment(directory, books.nextNumber)
    file = openFile(segment)
    openedAt = now()
    books.add(segment)
    return file
  }

  const append = (text: string): Segment => {
    const target = currentFile()
    target.append(text)
    dirty = true
    healthy = true
    return target.segment
  }

  const enqueue = (item: Queued): void => {
    queue.push(item)
    if (scheduled) return
    scheduled = true
    setImmediate(flush)
  }

  /** Everything that one turn of the event loop queued goes out in one write. */
  const flush = (): void => {
    scheduled = false
    if (queue.length === 0) return
    const batch = queue
    queue = []
    try {
      const segment = append(batch.map((item) => item.text).join(''))
      for (const item of batch) item.written(segment)
    } catch (error) {
      refuse(batch, error)
    }
  }

  const refuse = (batch: readonly Queued[], cause: unknown): void => {
    if (healthy) warn('the journal cannot be written', { directory, error: String(cause) })
    healthy = false
    queue = [...batch.filter((item) => item.keep), ...queue]
    const failure = new AppError('recording_failed', { cause, details: { directory } })
    for (const item of batch) item.refused?.(failure)
  }

  /** Its client was told that the call failed: the next start must not charge for it as for an interrupted one. */
  const giveUp = (id: string): void => {
    if (!books.isOpen(id) && !queue.some(({ begins }) => begins === id)) return
    queue.push({ text: appliedLine([id]), keep: true, written: () => books.givenUp(id) })
  }

  const retry = (): void => {
    if (healthy) return
    try {
      currentFile().probe(probeBytes)
      healthy = true
      flush()
    } catch {
      healthy = false
    }
  }

  const deleteFinished = (carry?: (text: string) => Segment): void => {
    try {
      books.deleteFinished(file?.segment, carry)
    } catch (error) {
      warn('a finished journal segment could not be deleted', { directory, error: String(error) })
    }
  }

  const tick = (): void => {
    if (file !== undefined && isDue(file)) closeFile()
    deleteFinished(append)
  }

  const timers = [setInterval(tick, segmentMs), setInterval(retry, retryMs)]
  if (fsyncMs > 0) timers.push(setInterval(syncDirty, fsyncMs))
  for (const timer of timers) timer.unref()

  return {
    begin(begin) {
      const text = beginLine(begin)
      enqueue({ text, keep: true, begins: begin.id, written: (segment) => books.begun(begin.id, text, segment) })
    },

    progress(id, usage) {
      const text = progressLine(id, usage)
      enqueue({ text, keep: false, written: () => books.progressed(id, text) })
    },

    end: (record, heard = nothing) =>
      new Promise<void>((resolve, reject) => {
        if (closed) {
          reject(new AppError('recording_failed', { details: { directory, reason: 'closed' } }))
          return
        }
        enqueue({
          text: endLine(record),
          keep: false,
          written(segment) {
            books.ended(record, segment)
            try {
              heard(record)
              resolve()
            } catch (error) {
              reject(error)
            }
          },
          refused(error) {
            giveUp(record.id)
            reject(error)
          },
        })
      }),

    applied(records) {
      books.applied(records)
      if (closed) return
      enqueue({ text: appliedLine(records.map(({ id }) => id)), keep: true, written: () => deleteFinished(append) })
    },

    replay: () => leftovers,

    get healthy() {
      return healthy
    },

    async close() {
      if (closed) return
      flush()
      closed = true
      for (const timer of timers) clearInterval(timer)
      closeFile()
      deleteFinished()
      unlock()
    },
  }
}
