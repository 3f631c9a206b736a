import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { UsageSink } from './ports.ts'

export interface ObjectSinkParts {
  /** A folder, or `s3://bucket/prefix`. */
  readonly place: () => string
  /** Stores all or nothing under a name. */
  readonly write: (place: string, name: string, bytes: Buffer) => Promise<void>
}

const mostRecords = 10_000
/** A file every five minutes, or when it is full. */
const longestWait = 300

const packed = promisify(gzip)

/** Names by day and by the first and the last record: what is written twice has the same name or overlaps. */
const nameOf = (time: number, first: number, last: number): string => {
  const day = new Date(time * 1000).toISOString().slice(0, 10)
  return `usage-${day}-${String(first).padStart(15, '0')}-${String(last).padStart(15, '0')}.jsonl.gz`
}

/** Writes files of JSON lines, packed with gzip. */
export const createObjectSink = ({ place, write }: ObjectSinkParts): UsageSink => ({
  name: 'objects',
  mostRecords,
  longestWait,
  isOn: () => place() !== '',

  async deliver(records) {
    const [first, last] = [records[0], records.at(-1)]
    if (first === undefined || last === undefined) return
    const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('')
    await write(place(), nameOf(first.time, first.sequence, last.sequence), await packed(lines))
  },
})
