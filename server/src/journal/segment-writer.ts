import type { Bookkeeping } from './bookkeeping.ts'
import type { Disk } from './disk.ts'
import type { JournalEntry } from './entries.ts'
import { newSegment, openSegmentFile, type Segment, type SegmentFile } from './segments.ts'

export interface SegmentWriterParts {
  readonly disk: Disk
  readonly directory: string
  readonly books: Bookkeeping
  /** A segment is closed at this size, or at this age when something is in it. */
  readonly segmentBytes: number
  readonly segmentMs: number
  readonly now: () => number
  /** Called with entries that are synced to disk. */
  onSynced(entries: readonly JournalEntry[]): void
  /** Called with entries that may not be on disk; their segment accepts no more writes. */
  onSyncFailed(segment: Segment, entries: readonly JournalEntry[], cause: unknown): void
}

/** Appends to the newest segment and begins a new one when it is due. */
export interface SegmentWriter {
  readonly current: Segment | undefined
  /** Writes the text to the kernel, whole or not at all; throws errors of the file system. */
  append(text: string): Segment
  /** `entries` were appended by the last call of `append` and wait for the next sync. */
  awaitSync(entries: readonly JournalEntry[]): void
  /** Brings everything that waits to the disk and calls `done`. One call at a time; never throws. */
  sync(done: () => void): void
  /** Closes the current segment when it is due. */
  closeIfDue(): void
  close(): void
}

interface OpenSegment {
  readonly file: SegmentFile
  unsynced: readonly JournalEntry[]
}

export const openSegmentWriter = (parts: SegmentWriterParts): SegmentWriter => {
  const { disk, directory, books, segmentBytes, segmentMs, now } = parts
  let current: OpenSegment | undefined
  /** Closed for writing, not yet synced. */
  const closing = new Set<OpenSegment>()
  let syncing: OpenSegment | undefined
  let openedAt = 0

  const closeFile = ({ file }: OpenSegment): void => {
    try {
      file.close()
    } catch {
      // Its bytes are synced or refused; a later error of the file system changes neither.
    }
  }

  const finish = (open: OpenSegment): void => {
    if (open.unsynced.length > 0 || open === syncing) {
      closing.add(open)
      return
    }
    closing.delete(open)
    closeFile(open)
  }

  const closeCurrent = (): void => {
    const open = current
    current = undefined
    if (open !== undefined) finish(open)
  }

  const isDue = ({ file: { segment, torn } }: OpenSegment): boolean =>
    torn || segment.bytes >= segmentBytes || (segment.bytes > 0 && now() - openedAt >= segmentMs)

  const opened = (): OpenSegment => {
    const segment = newSegment(directory, books.nextNumber)
    const open = { file: openSegmentFile(disk, segment), unsynced: [] }
    current = open
    openedAt = now()
    books.add(segment)
    return open
  }

  /** After a failed sync the kernel takes the pages for clean: syncing them again would succeed and prove nothing. */
  const abandon = (open: OpenSegment, entries: readonly JournalEntry[], cause: unknown): void => {
    if (current === open) current = undefined
    closing.delete(open)
    const refused = [...entries, ...open.unsynced]
    open.unsynced = []
    closeFile(open)
    parts.onSyncFailed(open.file.segment, refused, cause)
  }

  const syncOne = (open: OpenSegment, done: () => void): void => {
    const entries = open.unsynced
    if (entries.length === 0) {
      if (closing.has(open)) finish(open)
      done()
      return
    }
    open.unsynced = []
    syncing = open
    open.file.sync().then(
      () => {
        syncing = undefined
        parts.onSynced(entries)
        if (closing.has(open)) finish(open)
        done()
      },
      (error) => {
        syncing = undefined
        abandon(open, entries, error)
        done()
      },
    )
  }

  /** One after the other, those that are closed first. */
  const syncAll = (waiting: readonly OpenSegment[], done: () => void): void => {
    const [first, ...others] = waiting
    if (first === undefined) done()
    else syncOne(first, () => syncAll(others, done))
  }

  return {
    get current() {
      return current?.file.segment
    },
    append(text) {
      if (current !== undefined && isDue(current)) closeCurrent()
      const { file } = current ?? opened()
      file.append(text)
      return file.segment
    },
    awaitSync(entries) {
      if (current !== undefined)
        current.unsynced = current.unsynced.length === 0 ? entries : [...current.unsynced, ...entries]
    },
    sync(done) {
      if (closing.size === 0 && current !== undefined) syncOne(current, done)
      else syncAll(current === undefined ? [...closing] : [...closing, current], done)
    },
    closeIfDue() {
      if (current !== undefined && isDue(current)) closeCurrent()
    },
    close: closeCurrent,
  }
}
