import type { UsageSink } from './ports.ts'
import type { UsageRecord } from './usage-record.ts'

/** A form of files, with the ending of their names. */
export interface UsageFileFormat {
  readonly ending: string
  pack(records: readonly UsageRecord[]): Promise<Buffer>
}

export interface ObjectSinkParts {
  /** A folder, or `s3://bucket/prefix`. */
  readonly place: () => string
  readonly format: () => UsageFileFormat
  /** Stores all or nothing under a name. */
  readonly write: (place: string, name: string, bytes: Buffer) => Promise<void>
}

const mostRecords = 10_000
/** A file every five minutes, or when it is full. */
const longestWait = 300

/** Names by day and by the first and the last record: what is written twice has the same name or overlaps. */
const nameOf = (time: number, first: number, last: number): string => {
  const day = new Date(time * 1000).toISOString().slice(0, 10)
  return `usage-${day}-${String(first).padStart(15, '0')}-${String(last).padStart(15, '0')}`
}

/** Writes files of usage. */
export const createObjectSink = ({ place, format, write }: ObjectSinkParts): UsageSink => ({
  name: 'objects',
  mostRecords,
  longestWait,
  isOn: () => place() !== '',

  async deliver(records) {
    const [first, last] = [records[0], records.at(-1)]
    if (first === undefined || last === undefined) return
    const { ending, pack } = format()
    await write(place(), `${nameOf(first.time, first.sequence, last.sequence)}.${ending}`, await pack(records))
  },
})
