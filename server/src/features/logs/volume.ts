import { type LogVolume, logType } from '@tollgate/contract'
import type { Database } from '../../db/database.ts'
import { dayTableOf, splitRange, type UsageSpan, usageBegins, usageFits } from '../../ledger/usage/usage.ts'
import {
  bucketsOf,
  knownZone,
  localStart,
  longestZoned,
  pieceSeconds,
  piecesOf,
} from '../../ledger/usage/usage-buckets.ts'
import { sumPieces } from '../../ledger/usage/usage-pieces.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import { isOfSums, type LogSpan, usageFilter } from './days.ts'
import type { LogFilter } from './filter.ts'
import { readLogSpeed } from './speed.ts'
import type { LogStore } from './store.ts'

const minute = 60
const { hour, day, week } = pieceSeconds

/** Entries that are counted one by one at most. */
const mostRows = 2_000

/** A range of up to so many seconds has pieces of so many: some dozens of them, a hundred at most. */
const sizes: readonly (readonly [longest: number, size: number])[] = [
  [75 * minute, minute],
  [7 * hour, 5 * minute],
  [80 * hour, hour],
  [100 * day, day],
]

const sizeFor = ({ from, to }: LogSpan): number => sizes.find(([longest]) => to - from <= longest)?.[1] ?? week

export interface LogVolumeParts {
  readonly store: Pick<LogStore, 'places' | 'reach'>
  /** The main database, which has the usage sums. */
  readonly database: Database
  readonly clock: Clock
}

type Counted = Omit<LogVolume, 'first_p95' | 'cache_share'>

/** Types that count as done and as failed for one kind of entry. */
const typesOf = (type: number | undefined): { done: readonly number[]; failed: readonly number[] } => {
  if (!type) return { done: [logType.consume], failed: [logType.error] }
  return type === logType.error ? { done: [], failed: [type] } : { done: [type], failed: [] }
}

/**
 * How many requests a filter has over time. Hours and longer come from the sums that are written with the charges. What
 * those do not know (single requests, entries that are no requests, minutes) is counted, up to a cap.
 */
export const createLogVolume = ({ store, database, clock }: LogVolumeParts) => {
  const newest = async (filter: LogFilter, types: readonly number[]): Promise<number[]> => {
    const slice = { offset: 0, limit: mostRows + 1 }
    const found = await Promise.all(types.map((type) => store.places({ ...filter, type }, slice)))
    return found.flat().map(({ createdAt }) => createdAt)
  }

  const fromRows = async (filter: LogFilter, { from, to }: LogSpan, zone: string): Promise<Counted> => {
    const types = typesOf(filter.type)
    const { filter: within, from: looked } = await store.reach({ ...filter, from, to })
    const [done, failed] = await Promise.all([newest(within, types.done), newest(within, types.failed)])
    const cut = [done, failed].filter((found) => found.length > mostRows)
    const seenFrom = looked ?? (from || oldestOf([...done, ...failed], to))
    // If one kind was not counted to its end, neither is shown beyond that point.
    const begins = Math.max(seenFrom, ...cut.map((found) => oldestOf(found, to) + 1))
    const size = sizeFor({ from: begins, to })
    const buckets = bucketsOf(size, zone, begins, to + 1)
    const counts = new Map<number, Counts>()
    const add = (of: readonly number[], more: Counts): void => {
      for (const at of of.filter((moment) => moment >= begins)) {
        const local = localStart(buckets, at)
        counts.set(local, plus(counts.get(local) ?? nothing, more))
      }
    }
    add(done, { done: 1, failed: 0 })
    add(failed, { done: 0, failed: 1 })
    const pieces = piecesOf(buckets, begins, to + 1)
    return {
      ...drawn(pieces, counts, to + 1),
      piece_seconds: size,
      utc_days: false,
      counted: 'rows',
      capped: cut.length > 0 || looked !== undefined,
    }
  }

  const fromSums = async (filter: LogFilter, { from, to }: LogSpan, zone: string): Promise<Counted> => {
    const size = Math.max(hour, sizeFor({ from, to }))
    const utc = to - from > longestZoned
    const end = to - (to % hour) + hour
    const buckets = bucketsOf(size, utc ? 'UTC' : zone, from, end)
    const pieces = piecesOf(buckets, from, end)
    // The first piece is shown whole.
    const start = Math.min(from, ...pieces.slice(0, 1).map(({ at }) => at))
    const begin = start - (start % hour)
    const spans: readonly UsageSpan[] = utc
      ? splitRange({ from: begin, to: end - 1 }, dayTableOf(filter)).spans
      : [{ table: 'usage_hours', from: begin, to: end }]
    const sums = await sumPieces(database, { filter: usageFilter(filter), spans }, buckets)
    const shown = typesOf(filter.type)
    const counts = sums.map(({ local, count, failures }): [number, Counts] => [
      local,
      { done: shown.done.length > 0 ? count : 0, failed: shown.failed.length > 0 ? failures : 0 },
    ])
    return {
      ...drawn(pieces, new Map(counts), end),
      piece_seconds: size,
      utc_days: utc,
      counted: 'sums',
      capped: false,
    }
  }

  /** The first day that has anything of a filter. */
  const firstDay = async (filter: LogFilter): Promise<number | undefined> => {
    const first = await database.query
      // All tables of sums have the columns that a filter for them names.
      .selectFrom(dayTableOf(filter) as 'usage_hours')
      .where(usageFits(usageFilter(filter), { from: 0, to: Number.MAX_SAFE_INTEGER }))
      .select('created_at')
      .orderBy('created_at')
      .limit(1)
      .executeTakeFirst()
    return first?.created_at
  }

  const counted = async (filter: LogFilter, { from, to }: LogSpan, zone: string): Promise<Counted> => {
    const begins = isOfSums(filter) ? await usageBegins(database) : undefined
    if (begins === undefined || to < begins) return fromRows(filter, { from, to }, zone)
    const first = from > 0 ? from : ((await firstDay(filter)) ?? to)
    // A site in its first hours has a bar for each few minutes, whatever range was chosen.
    const known = { from: from > 0 && sizeFor({ from, to }) < hour ? from : Math.min(to, Math.max(first, begins)), to }
    if (sizeFor(known) < hour) {
      const rows = await fromRows(filter, known, zone)
      if (!rows.capped) return rows
    }
    return fromSums(filter, { ...known, from: Math.min(to, Math.max(known.from, begins)) }, zone)
  }

  return async (filter: LogFilter, zoneName: string): Promise<LogVolume> => {
    const to = Math.min(filter.to || Number.POSITIVE_INFINITY, unixSeconds(clock))
    const span = { from: Math.max(0, Math.min(filter.from ?? 0, to)), to }
    const [volume, speed] = await Promise.all([
      counted(filter, span, knownZone(zoneName)),
      readLogSpeed(database, filter, span),
    ])
    return { ...volume, ...speed }
  }
}

interface Counts {
  readonly done: number
  readonly failed: number
}

const nothing: Counts = { done: 0, failed: 0 }
const plus = (left: Counts, right: Counts): Counts => ({
  done: left.done + right.done,
  failed: left.failed + right.failed,
})

const oldestOf = (moments: readonly number[], fallback: number): number =>
  moments.reduce((oldest, at) => Math.min(oldest, at), fallback)

const drawn = (
  pieces: readonly { local: number; at: number }[],
  counts: ReadonlyMap<number, Counts>,
  to: number,
): Pick<LogVolume, 'starts' | 'to' | 'done' | 'failed'> => ({
  starts: pieces.map(({ at }) => at),
  to,
  done: pieces.map(({ local }) => counts.get(local)?.done ?? 0),
  failed: pieces.map(({ local }) => counts.get(local)?.failed ?? 0),
})
