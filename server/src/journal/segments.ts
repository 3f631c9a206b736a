import { dirname, join } from 'node:path'
import type { Disk } from './disk.ts'

/** One file of the journal and what still keeps it from being deleted. */
export interface Segment {
  readonly number: number
  readonly path: string
  bytes: number
  /** Ids of requests that began in this segment and have not ended. */
  readonly open: Set<string>
  /** Number of ends in this file that may be missing in the database. */
  unapplied: number
  /** Set when a line in the middle could not be read: the file stays for the operator. */
  damaged: boolean
}

const namePattern = /^(\d{10})\.journal$/

export const segmentNumber = (name: string): number | undefined => {
  const digits = namePattern.exec(name)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

export const newSegment = (directory: string, number: number): Segment => ({
  number,
  path: join(directory, `${String(number).padStart(10, '0')}.journal`),
  bytes: 0,
  open: new Set(),
  unapplied: 0,
  damaged: false,
})

/** Deletes a segment that is not needed any more; a damaged one is renamed instead. */
export const discard = (disk: Disk, segment: Segment): void => {
  if (segment.damaged) disk.rename(segment.path, `${segment.path}.damaged`)
  else disk.remove(segment.path)
}

/** An open segment that is appended to. */
export interface SegmentFile {
  readonly segment: Segment
  /** True when half a line could not be undone: nothing more may be appended. */
  readonly torn: boolean
  /** Writes the text to the kernel, whole or not at all; throws errors of the file system. */
  append(text: string): void
  /** Resolves when the file and its name are on the disk as of the call. Rejects with errors of the file system. */
  sync(): Promise<void>
  close(): void
}

/** Texts of most turns of the event loop fit, and then nothing is allocated for them. */
const scratch = Buffer.allocUnsafeSlow(256 * 1024)
const mostBytesPerUnit = 3

/*
 * One writeSync per turn of the event loop costs 3.5 µs of processor time for a line of 1.2 kB (0.4 µs a line when 64 go together)
 * and as much latency; the asynchronous fs.write costs 30 µs and 35 µs. The page cache takes the bytes either way, so synchronous it is.
 */
export const openSegmentFile = (disk: Disk, segment: Segment): SegmentFile => {
  const file = disk.open(segment.path)
  let named = false

  const cut = (): void => {
    try {
      file.truncate(segment.bytes)
    } catch {
      opened.torn = true
    }
  }

  /** A new file whose name is not on the disk is gone after a power cut, whatever its bytes are. */
  const syncNamed = async (): Promise<void> => {
    await file.sync()
    await disk.syncDirectory(dirname(segment.path))
    named = true
  }

  const opened = {
    segment,
    torn: false,
    append(text: string) {
      const fits = text.length * mostBytesPerUnit <= scratch.length
      const bytes = fits ? scratch.subarray(0, scratch.write(text)) : Buffer.from(text)
      let written = 0
      try {
        while (written < bytes.length) written += file.write(bytes, written)
      } catch (error) {
        // Half a line in the middle of a file would look like damage.
        cut()
        throw error
      }
      segment.bytes += bytes.length
    },
    sync: () => (named ? file.sync() : syncNamed()),
    close: () => file.close(),
  }
  return opened
}
