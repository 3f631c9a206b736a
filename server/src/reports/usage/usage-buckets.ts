/** From this time (unix seconds) local time is this number of seconds ahead of UTC. */
export interface ZoneOffset {
  readonly from: number
  readonly seconds: number
}

/** How moments become points of a chart: local time is cut into pieces of `size` seconds. */
export interface Buckets {
  readonly offsets: readonly ZoneOffset[]
  readonly size: number
  /** Local second at which some piece began: pieces of a week begin on Monday. */
  readonly anchor: number
}

const hour = 3_600
const day = 86_400
export const pieceSeconds = { hour, day, week: 7 * day } as const

/** Longest range in seconds with the reader's days, summed from hours; longer ones use the stored days of UTC. */
export const longestZoned = 35 * day
/** 1970-01-05 was a Monday. */
const firstMonday = 4 * day

/** The zone itself, or UTC when it is unknown. */
export const knownZone = (zone: string): string => {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: zone })
    return zone
  } catch {
    return 'UTC'
  }
}

const offsetReader = (zone: string): ((at: number) => number) => {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  return (at) => Math.round(Date.parse(`${format.format(at * 1000).replace(' ', 'T')}Z`) / 1000) - at
}

/** When a zone's clocks change within a range; the first entry holds from its beginning. */
const offsetsOf = (zone: string, from: number, to: number): ZoneOffset[] => {
  const read = offsetReader(zone)
  const offsets = [{ from, seconds: read(from) }]
  for (let at = from; at < to; at += day) {
    const next = Math.min(at + day, to)
    const seconds = read(next)
    if (seconds === offsets.at(-1)?.seconds) continue
    let [before, after] = [at, next]
    while (after - before > hour) {
      const middle = Math.floor((before + after) / 2 / hour) * hour
      if (middle <= before) break
      if (read(middle) === seconds) after = middle
      else before = middle
    }
    offsets.push({ from: after, seconds })
  }
  return offsets
}

/** Pieces of a number of seconds in a time zone. Hours are the same in all zones, as far as the sums can show. */
export const bucketsOf = (size: number, zone: string, from: number, to: number): Buckets => ({
  offsets: size <= pieceSeconds.hour ? [{ from, seconds: 0 }] : offsetsOf(zone, from, to),
  size,
  anchor: size === pieceSeconds.week ? firstMonday : 0,
})

const offsetAt = ({ offsets }: Buckets, at: number): number =>
  (offsets.findLast((offset) => offset.from <= at) ?? offsets[0])?.seconds ?? 0

/** The local second at which the piece begins that holds a moment. */
export const localStart = (buckets: Buckets, at: number): number => {
  const local = at + offsetAt(buckets, at)
  return local - ((local - buckets.anchor) % buckets.size)
}

/** Every piece of a range, whether anything happened in it or not: its local second, and the moment of its beginning. */
export const piecesOf = (buckets: Buckets, from: number, to: number): { local: number; at: number }[] => {
  const pieces: { local: number; at: number }[] = []
  const last = localStart(buckets, to - 1)
  for (let local = localStart(buckets, from); local <= last; local += buckets.size) {
    const guess = local - offsetAt(buckets, local - offsetAt(buckets, local))
    pieces.push({ local, at: guess })
  }
  return pieces
}
