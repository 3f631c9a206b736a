import type { JournalRecord } from './journal-record.ts'
import { beginLine, progressLine } from './lines.ts'
import type { Leftovers } from './replay.ts'
import type { Segment } from './segments.ts'

/** State of the requests in the segments: running, or finished and not yet in the database. */
export interface Bookkeeping {
  /** Files that are not deleted, and their bytes. */
  depth(): { readonly segments: number; readonly bytes: number }
  /** The number that the next segment gets. */
  readonly nextNumber: number
  add(segment: Segment): void
  begun(id: string, text: string, segment: Segment): void
  progressed(id: string, text: string): void
  /** True if it has begun and not ended. */
  isOpen(id: string): boolean
  ended(record: JournalRecord, segment: Segment): void
  /** It has begun, and nothing will come of it. */
  givenUp(id: string): void
  applied(records: readonly JournalRecord[]): void
  /** Its line is written but could not be synced: the record is not in the journal. */
  dropped(record: JournalRecord): void
  /** Lines of the requests that began in `segment` and still run, with their latest progress. */
  runningLines(segment: Segment): string
  /** The lines of these requests are in `to` now. */
  moved(from: Segment, to: Segment): void
  /**
   * The oldest segment when its ends are all in the database and it is not `current`. Segments go oldest first, so that
   * an end never goes before its begin. Requests in it may still run: their lines are written again before it goes,
   * since one long stream must not keep old files alive.
   */
  oldestFinished(current: Segment | undefined): Segment | undefined
  /** The oldest segment is deleted. */
  removedOldest(): void
}

interface OpenRequest {
  segment: Segment
  readonly begin: string
  progress: string
}

export const openBookkeeping = (leftovers: Leftovers): Bookkeeping => {
  const segments: Segment[] = [...leftovers.segments]
  const open = new Map<string, OpenRequest>()
  for (const { segment, interrupted } of leftovers.open) {
    const { begin, usage } = interrupted
    const progress = usage === undefined ? '' : progressLine(begin.id, usage)
    open.set(begin.id, { segment, begin: beginLine(begin), progress })
  }

  const close = (id: string): void => {
    open.get(id)?.segment.open.delete(id)
    open.delete(id)
  }

  return {
    depth: () => ({ segments: segments.length, bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0) }),
    get nextNumber() {
      return (segments.at(-1)?.number ?? 0) + 1
    },
    add: (segment) => {
      segments.push(segment)
    },
    begun(id, text, segment) {
      segment.open.add(id)
      open.set(id, { segment, begin: text, progress: '' })
    },
    progressed(id, text) {
      const request = open.get(id)
      if (request !== undefined) request.progress = text
    },
    isOpen: (id) => open.has(id),
    // Noted in the record itself: a map by id would cost each call more than the line in the file.
    ended(record, segment) {
      // Only long streams have begun here.
      if (open.size > 0) close(record.id)
      if (record.segment !== undefined) return
      record.segment = segment
      segment.unapplied += 1
    },
    givenUp: close,
    applied(records) {
      for (const record of records) {
        if (record.segment !== undefined) record.segment.unapplied -= 1
        record.segment = undefined
        if (open.size > 0) close(record.id)
      }
    },
    dropped(record) {
      if (record.segment !== undefined) record.segment.unapplied -= 1
      record.segment = undefined
    },
    runningLines: (segment) =>
      [...segment.open]
        .flatMap((id) => open.get(id) ?? [])
        .map(({ begin, progress }) => begin + progress)
        .join(''),
    moved(from, to) {
      for (const id of from.open) {
        const request = open.get(id)
        if (request !== undefined) request.segment = to
        to.open.add(id)
      }
      from.open.clear()
    },
    oldestFinished(current) {
      const oldest = segments[0]
      return oldest === undefined || oldest === current || oldest.unapplied > 0 ? undefined : oldest
    },
    removedOldest() {
      segments.shift()
    },
  }
}
