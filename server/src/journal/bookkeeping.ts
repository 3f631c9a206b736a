import type { Booked } from './booked.ts'
import { beginLine, progressLine } from './lines.ts'
import type { Leftovers } from './replay.ts'
import { discard, type Segment } from './segments.ts'

/** What is known of the requests in the segments: which still run and which are not yet in the database. */
export interface Bookkeeping {
  /** The number that the next segment gets. */
  readonly nextNumber: number
  add(segment: Segment): void
  begun(id: string, text: string, segment: Segment): void
  progressed(id: string, text: string): void
  /** Whether it has begun and not ended. */
  isOpen(id: string): boolean
  ended(record: Booked, segment: Segment): void
  /** It has begun, and nothing will come of it. */
  givenUp(id: string): void
  applied(records: readonly Booked[]): void
  /**
   * Deletes the segments that nothing needs, oldest first and never past `current`, so that an end never goes before
   * its begin. Requests that still run are given to `carry`, which writes their lines again and answers where: one
   * long stream must not keep old files alive. Without `carry` a segment with running requests stays.
   */
  deleteFinished(current: Segment | undefined, carry?: (text: string) => Segment): void
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
    // Only long streams begin here.
    if (open.size === 0) return
    open.get(id)?.segment.open.delete(id)
    open.delete(id)
  }

  const moveRunning = (segment: Segment, carry: (text: string) => Segment): void => {
    const running = [...segment.open].flatMap((id) => open.get(id) ?? [])
    const target = carry(running.map(({ begin, progress }) => begin + progress).join(''))
    for (const request of running) request.segment = target
    for (const id of segment.open) target.open.add(id)
    segment.open.clear()
  }

  return {
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
      close(record.id)
      if (record.segment !== undefined) return
      record.segment = segment
      segment.unapplied += 1
    },
    givenUp: close,
    applied(records) {
      for (const record of records) {
        if (record.segment !== undefined) record.segment.unapplied -= 1
        record.segment = undefined
        close(record.id)
      }
    },
    deleteFinished(current, carry) {
      for (let oldest = segments[0]; oldest !== undefined; oldest = segments[0]) {
        if (oldest === current || oldest.unapplied > 0) return
        if (oldest.open.size > 0) {
          if (carry === undefined) return
          moveRunning(oldest, carry)
        }
        discard(oldest)
        segments.shift()
      }
    },
  }
}
