import { AppError } from '../lib/app-error.ts'
import type { Recorder } from '../relay/ports.ts'
import { openBookkeeping } from './bookkeeping.ts'
import { claimDirectory, syncParents } from './claim-directory.ts'
import { type Disk, nodeDisk, probeDisk } from './disk.ts'
import { type EndEntry, failAll, isKept, type JournalEntry } from './entries.ts'
import type { JournalRecord } from './journal-record.ts'
import { appliedLine, beginLine, endLine, progressLine } from './lines.ts'
import { type Leftovers, readLeftovers } from './replay.ts'
import { openSegmentWriter } from './segment-writer.ts'
import { discard, type Segment } from './segments.ts'
import { type JournalSync, openSyncPace } from './sync-pace.ts'

export interface JournalParts {
  readonly directory: string
  /**
   * `off` leaves it to the kernel when bytes reach the disk: a killed process loses nothing, a power cut may. With `group`
   * and `always` an answer ends after an fdatasync, which covers what was written until it started; `group` starts
   * one at most every few milliseconds, `always` as soon as the one before has ended.
   */
  readonly sync?: JournalSync
  /** Milliseconds between the starts of two syncs of `group`, at least. */
  readonly groupMs?: number
  /** A segment is closed at this size, or at this age when something is in it. */
  readonly segmentBytes?: number
  readonly segmentMs?: number
  /** Milliseconds before a retry after the disk has refused. */
  readonly retryMs?: number
  readonly now?: () => number
  readonly warn?: (message: string, fields: Readonly<Record<string, unknown>>) => void
  readonly disk?: Disk
}

/** Finished requests on the local disk before their answer ends (docs/architecture/money/outages.md). */
export interface Journal extends Omit<Recorder, 'charge' | 'fail'> {
  /**
   * Resolves when the record is in the journal, as safe as `sync` says, after `written` was called with it. `head` is what `callHead` says of
   * the record, where that is known.
   */
  end(record: JournalRecord, written?: (record: JournalRecord) => void, head?: string): Promise<void>
  /** The database has these; a segment is deleted when it has all of its ends. */
  applied(records: readonly JournalRecord[]): void
  /** Segments of earlier processes. */
  replay(): Leftovers
  /** False from a refused write or sync until one succeeds again: no new request may begin meanwhile. */
  readonly healthy: boolean
  /** Calls the listener after each change of `healthy`. */
  whenHealthy(listener: () => void): void
  /** Files that are not deleted, and their bytes. */
  depth(): { readonly segments: number; readonly bytes: number }
  close(): Promise<void>
}

const nothing = (): void => {}
/** Marks of running streams wait for a sync no longer than they wait for the next mark. Milliseconds. */
const lazyMs = 1000

/** Reads the segments in `directory` and appends new ones. Throws while another process uses the directory. */
export const openJournal = async (parts: JournalParts): Promise<Journal> => {
  const { directory, sync = 'off', segmentBytes = 8 * 1024 * 1024, segmentMs = 30_000, retryMs = 1000 } = parts
  const { groupMs = 2, now = Date.now, warn = nothing, disk = nodeDisk } = parts
  const syncs = sync !== 'off'
  const { unlock, created } = claimDirectory(disk, directory)
  if (syncs) await syncParents(disk, directory, created)
  const leftovers = await readLeftovers(disk, directory, warn)
  const books = openBookkeeping(leftovers)

  let queue: JournalEntry[] = []
  /** How many entries of the queue the next sync may write, and whether an answer waits for any of them; kept entries are neither. */
  let deferred = 0
  let hasEnds = false
  let scheduled = false
  const listeners: (() => void)[] = []
  let healthy = true
  let wroteLast = true
  let retrying = false
  /** How many entries carry running requests out of segments, which must stay until these lines are safe. */
  let carrying = 0
  /** Segment whose lines were carried over safely: it may be deleted. */
  let carried: Segment | undefined
  /** Nothing is pending after the last sync. */
  let drained = false
  let deletion: Promise<void> | undefined
  let closed = false

  const writer = openSegmentWriter({
    disk,
    directory,
    books,
    segmentBytes,
    segmentMs,
    now,
    onSynced(entries) {
      if (wroteLast && !healthy) setHealthy(true)
      settle(entries)
    },
    onSyncFailed: (segment, entries, cause) => refuseUnsynced(segment, entries, cause),
  })
  const setHealthy = (next: boolean): void => {
    const changes = next !== healthy
    healthy = next
    if (changes) for (const listener of listeners) listener()
  }
  /** One write and one sync for all that came since the sync before. */
  const writeAndSync = (done: () => void): void => {
    writeQueue()
    writer.sync(done)
  }
  const pace = openSyncPace({ work: writeAndSync, restMs: sync === 'group' ? groupMs : 0, lazyMs })

  const enqueue = (entry: JournalEntry): void => {
    if (closed) return
    queue.push(entry)
    if (entry.kind === 'end') {
      hasEnds = true
      if (syncs && !books.isOpen(entry.record.id)) {
        deferred += 1
        if (pace.isNear) return
      }
    }
    if (scheduled) return
    scheduled = true
    setImmediate(flush)
  }

  const textOf = (entry: JournalEntry): string =>
    entry.kind === 'carried' ? books.runningLines(entry.segment) : entry.text

  /**
   * Writes the entries queued in one turn of the event loop. Ends of calls without a begin record are left to the sync that their
   * answers wait for: their clients have received nothing yet, and one write takes all that arrived meanwhile.
   */
  const flush = (): void => {
    scheduled = false
    if (closed || queue.length === 0) return
    if (deferred === queue.length) {
      pace.soon()
      return
    }
    const isWaitedFor = hasEnds
    if (!writeQueue() || !syncs) return
    if (isWaitedFor) pace.soon()
    else pace.later()
  }

  /** False where the disk refused it. */
  const writeQueue = (): boolean => {
    const batch = queue
    const [only] = batch
    if (only === undefined) return true
    queue = []
    deferred = 0
    hasEnds = false
    let segment: Segment
    try {
      segment = writer.append(batch.length === 1 ? textOf(only) : batch.map(textOf).join(''))
    } catch (error) {
      refuseUnwritten(batch, error)
      return false
    }
    wroteLast = true
    for (const entry of batch) {
      if (entry.kind === 'end') books.ended(entry.record, segment)
      else note(entry, segment)
    }
    if (syncs) {
      writer.awaitSync(batch)
      return true
    }
    if (!healthy) setHealthy(true)
    settle(batch)
    return true
  }

  /** The entry is in the segment. */
  const note = (entry: Exclude<JournalEntry, EndEntry>, segment: Segment): void => {
    switch (entry.kind) {
      case 'begin':
        books.begun(entry.id, entry.text, segment)
        return
      case 'progress':
        books.progressed(entry.id, entry.text)
        return
      case 'carried':
        books.moved(entry.segment, segment)
        return
      case 'givenUp':
        books.givenUp(entry.id)
        return
      case 'applied':
        deleteFinished()
    }
  }

  /** The entries are as safe as `sync` says: answers end, all of one sync together. */
  const settle = (entries: readonly JournalEntry[]): void => {
    for (const entry of entries) {
      if (entry.kind === 'end') {
        try {
          entry.written(entry.record)
          entry.resolve()
        } catch (error) {
          entry.reject(error)
        }
      } else if (entry.kind === 'carried') {
        carrying -= 1
        carried = entry.segment
        deleteFinished()
      }
    }
  }

  const fail = (entries: readonly JournalEntry[], event: string, cause: unknown): void => {
    if (healthy) warn(event, { directory, error: String(cause) })
    wroteLast = false
    setHealthy(false)
    const ends = entries.filter((entry): entry is EndEntry => entry.kind === 'end')
    failAll(ends, new AppError('recording_failed', { cause, details: { directory } }))
  }

  const givenUp = ({ record: { id } }: EndEntry): JournalEntry => ({ kind: 'givenUp', text: appliedLine([id]), id })

  const refuseUnwritten = (batch: readonly JournalEntry[], cause: unknown): void => {
    queue = [...batch.filter(isKept), ...queue]
    const begun = new Set(queue.flatMap((entry) => (entry.kind === 'begin' ? entry.id : [])))
    for (const entry of batch) {
      // Without a begin no start would charge for it.
      if (entry.kind === 'end' && (books.isOpen(entry.record.id) || begun.has(entry.record.id))) {
        queue.push(givenUp(entry))
      }
    }
    fail(batch, 'journal_write_failed', cause)
  }

  /** The lines may be on the disk or not, so each end is given up in a new segment and running requests move there. */
  const refuseUnsynced = (segment: Segment, entries: readonly JournalEntry[], cause: unknown): void => {
    const again: JournalEntry[] = []
    if (segment.open.size > 0) {
      carrying += 1
      again.push({ kind: 'carried', segment })
    }
    for (const entry of entries) {
      if (entry.kind === 'applied' || entry.kind === 'givenUp') again.push(entry)
      if (entry.kind === 'carried') carrying -= 1
      if (entry.kind !== 'end') continue
      books.dropped(entry.record)
      again.push(givenUp(entry))
    }
    queue = [...again, ...queue]
    fail(entries, 'journal_sync_failed', cause)
  }

  const retry = async (): Promise<void> => {
    if (healthy || retrying) return
    retrying = true
    try {
      await probeDisk(disk, directory, syncs)
      setHealthy(true)
      flush()
    } catch {
      setHealthy(false)
    }
    retrying = false
  }

  const deleteFinished = (): void => {
    while (deletion === undefined && carrying === 0) {
      const oldest = books.oldestFinished(writer.current)
      if (oldest === undefined) return
      if (oldest.open.size > 0 || (syncs && !drained && oldest !== carried)) {
        if (closed) return
        // Also without running requests: the end of one that began here may wait for its sync in a newer segment.
        carrying += 1
        enqueue({ kind: 'carried', segment: oldest })
        return
      }
      try {
        discard(disk, oldest)
      } catch (error) {
        warn('journal_segment_not_deleted', { directory, error: String(error) })
        return
      }
      books.removedOldest()
      if (syncs) deletion = settleDeletion()
    }
  }

  /** The next segment may go when this one is gone for good: an end that goes before its begin would be charged again. */
  const settleDeletion = async (): Promise<void> => {
    try {
      await disk.syncDirectory(directory)
    } catch (error) {
      warn('journal_deletion_not_synced', { directory, error: String(error) })
    }
    deletion = undefined
    deleteFinished()
  }

  const tick = (): void => {
    writer.closeIfDue()
    deleteFinished()
  }

  const timers = [setInterval(tick, segmentMs), setInterval(() => void retry(), retryMs)]
  for (const timer of timers) timer.unref()

  return {
    begin: (begin) => enqueue({ kind: 'begin', text: beginLine(begin), id: begin.id }),

    progress: (id, usage) => enqueue({ kind: 'progress', text: progressLine(id, usage), id }),

    end: (record, written = nothing, head) =>
      new Promise<void>((resolve, reject) => {
        if (closed) reject(new AppError('recording_failed', { details: { directory, reason: 'closed' } }))
        else enqueue({ kind: 'end', text: endLine(record, head), record, written, resolve, reject })
      }),

    applied(records) {
      books.applied(records)
      enqueue({ kind: 'applied', text: appliedLine(records.map(({ id }) => id)) })
    },

    replay: () => leftovers,

    get healthy() {
      return healthy
    },

    whenHealthy(listener) {
      listeners.push(listener)
    },

    depth: books.depth,

    async close() {
      if (closed) return
      closed = true
      for (const timer of timers) clearInterval(timer)
      writeQueue()
      writer.close()
      await pace.stop()
      await new Promise<void>((resolve) => writer.sync(resolve))
      drained = healthy
      deleteFinished()
      while (deletion !== undefined) await deletion
      unlock()
    },
  }
}
