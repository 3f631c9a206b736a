import { liveMinutes } from '@tollgate/contract/records/live'
import { firstClasses, firstClassOf } from './first-times.ts'

/** Figures of one interval of time. */
export interface LiveFigures {
  /** The number of its stretch since 1970. */
  place: number
  calls: number
  failed: number
  quota: number
  running: number
  waiting: number
  holds: number
  /** Calls by class of their time to the first content. */
  first: number[]
}

const empty = (place: number): LiveFigures => ({
  place,
  calls: 0,
  failed: 0,
  quota: 0,
  running: 0,
  waiting: 0,
  holds: 0,
  first: [],
})

const secondMs = 1000
const minuteMs = 60_000

/** The last so many stretches of a length, in memory that never grows. */
const ring = (size: number, lengthMs: number) => {
  const kept: LiveFigures[] = []
  const placeOf = (now: number): number => Math.floor(now / lengthMs)
  return {
    at(now: number): LiveFigures {
      const place = placeOf(now)
      const there = kept[place % size]
      if (there?.place === place) return there
      const fresh = empty(place)
      kept[place % size] = fresh
      return fresh
    },
    /** Those of the last `count` stretches in which anything happened. */
    last(now: number, count: number): readonly LiveFigures[] {
      const first = placeOf(now) - count + 1
      return kept.filter((figures) => figures !== undefined && figures.place >= first && figures.place <= placeOf(now))
    },
  }
}

const countFirst = ({ first }: LiveFigures, firstMs: number): void => {
  const place = firstClassOf(firstMs)
  while (first.length <= place) first.push(0)
  first[place] = (first[place] ?? 0) + 1
}

/** Figures of a node's last hour by minutes, and of its last minute by seconds. */
export const createLiveFigures = () => {
  const minutes = ring(liveMinutes, minuteMs)
  const seconds = ring(60, secondMs)

  let minute = empty(-1)
  let second = empty(-1)

  return {
    /** Counts a call that is over. */
    call(now: number, failed: boolean, times: number, quota: number, firstMs: number | undefined): void {
      if (minute.place !== Math.floor(now / minuteMs)) minute = minutes.at(now)
      if (second.place !== Math.floor(now / secondMs)) second = seconds.at(now)
      minute.calls += times
      second.calls += times
      minute.quota += quota
      second.quota += quota
      if (failed) {
        minute.failed += times
        second.failed += times
      }
      if (firstMs === undefined) return
      countFirst(minute, firstMs)
      countFirst(second, firstMs)
    },
    /** Notes what is under way; of a minute the most counts. */
    sample(now: number, state: Pick<LiveFigures, 'running' | 'waiting' | 'holds'>): void {
      const minute = minutes.at(now)
      minute.running = Math.max(minute.running, state.running)
      minute.waiting = Math.max(minute.waiting, state.waiting)
      minute.holds = Math.max(minute.holds, state.holds)
    },
    hour: (now: number) => minutes.last(now, liveMinutes),
    lastSeconds: (now: number, count: number) => seconds.last(now, count),
  }
}

/** The figures of several stretches or nodes as one; of what is under way the sum. */
export const sumOf = (all: readonly LiveFigures[]): LiveFigures => {
  const sum = empty(all[0]?.place ?? 0)
  sum.first = new Array<number>(firstClasses).fill(0)
  for (const figures of all) {
    sum.calls += figures.calls
    sum.failed += figures.failed
    sum.quota += figures.quota
    sum.running += figures.running
    sum.waiting += figures.waiting
    sum.holds += figures.holds
    for (const [place, count] of figures.first.entries()) sum.first[place] = (sum.first[place] ?? 0) + count
  }
  return sum
}
