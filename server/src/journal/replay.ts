import type { Usage } from '../billing/usage.ts'
import type { RequestBegin } from '../relay/ports.ts'
import type { Disk } from './disk.ts'
import type { JournalRecord } from './journal-record.ts'
import { readSegment } from './read.ts'
import { newSegment, type Segment, segmentNumber } from './segments.ts'

/** A request that began and has no end. */
export interface Interrupted {
  readonly begin: RequestBegin
  /** Its last progress mark, if it made one. */
  readonly usage: Usage | undefined
}

/** A charge that is not known to be in the database. */
export type LeftoverCharge = Pick<JournalRecord, 'id' | 'userId' | 'tokenId' | 'caps' | 'quota'>

const chargeIn = ({ id, kind, userId, tokenId, quota, caps }: JournalRecord): LeftoverCharge | undefined =>
  kind === 'charge' ? { id, userId, tokenId, quota, ...(caps && { caps }) } : undefined

/** Records of earlier processes in the journal's directory. */
export interface Leftovers {
  readonly segments: readonly Segment[]
  readonly open: readonly { readonly segment: Segment; readonly interrupted: Interrupted }[]
  /** Charges among `records`, small enough to be read before any of them is applied. */
  readonly charges: readonly LeftoverCharge[]
  /** Finished requests that are not known to be in the database, oldest first, one segment at a time so that memory stays bounded. */
  records(): AsyncGenerator<readonly JournalRecord[]>
}

type Warn = (message: string, fields: Readonly<Record<string, unknown>>) => void

/** Reads every segment once. Lines that cannot be read are reported with their file and left out. */
export const readLeftovers = async (disk: Disk, directory: string, warn: Warn): Promise<Leftovers> => {
  const segments = await segmentsIn(disk, directory)
  const unapplied = new Map<string, { segment: Segment; charge: LeftoverCharge | undefined }>()
  const open = new Map<string, { segment: Segment; interrupted: Interrupted }>()
  const closed = new Set<string>()
  for (const segment of segments) {
    const { lines, damaged, tornBytes } = await readSegment(disk, segment.path)
    if (damaged.length > 0) {
      segment.damaged = true
      warn('journal_segment_damaged', {
        file: segment.path,
        lines: damaged,
      })
    }
    if (tornBytes > 0) warn('journal_record_torn', { file: segment.path, bytes: tornBytes })
    for (const line of lines) {
      if (line.kind === 'begin' && !closed.has(line.begin.id)) {
        open.set(line.begin.id, { segment, interrupted: { begin: line.begin, usage: undefined } })
      }
      if (line.kind === 'progress') {
        const request = open.get(line.id)
        if (request !== undefined) request.interrupted = { begin: request.interrupted.begin, usage: line.usage }
      }
      if (line.kind === 'end') {
        if (!closed.has(line.record.id)) unapplied.set(line.record.id, { segment, charge: chargeIn(line.record) })
        closed.add(line.record.id)
        open.delete(line.record.id)
      }
      if (line.kind === 'applied') {
        for (const id of line.ids) {
          closed.add(id)
          open.delete(id)
          unapplied.delete(id)
        }
      }
    }
  }
  for (const { segment } of unapplied.values()) segment.unapplied += 1
  for (const [id, { segment }] of open) segment.open.add(id)
  const wanted = new Map([...unapplied].map(([id, { segment }]) => [id, segment]))
  return {
    segments: [...segments],
    open: [...open.values()],
    charges: [...unapplied.values()].flatMap(({ charge }) => charge ?? []),
    records: () => recordsOf(disk, segments, new Map(wanted)),
  }
}

const segmentsIn = async (disk: Disk, directory: string): Promise<Segment[]> =>
  (await disk.list(directory))
    .flatMap((name) => segmentNumber(name) ?? [])
    .sort((left, right) => left - right)
    .map((number) => newSegment(directory, number))

async function* recordsOf(
  disk: Disk,
  segments: readonly Segment[],
  wanted: Map<string, Segment>,
): AsyncGenerator<readonly JournalRecord[]> {
  for (const segment of segments) {
    if (![...wanted.values()].includes(segment)) continue
    const records: JournalRecord[] = []
    for (const line of (await readSegment(disk, segment.path)).lines) {
      if (line.kind !== 'end' || wanted.get(line.record.id) !== segment) continue
      wanted.delete(line.record.id)
      records.push(Object.assign(line.record, { segment }))
    }
    yield records
  }
}
