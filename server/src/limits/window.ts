import type { Limit } from '@tollgate/contract'

/** A piece of time in which calls are summed; milliseconds since 1970. */
interface Piece {
  /** Begin, and id of the piece under which its sums are stored. */
  readonly at: number
  /** End, at which the next one begins. */
  readonly end: number
}

/** How a limit divides time. */
export interface WindowShape {
  pieceAt(now: number): Piece
  /** Begin of the window: earlier pieces do not count. */
  since(now: number): number
  /** Milliseconds since 1970 at which all use of a piece is free again. */
  freeAt(piece: number): number
  /** True where a piece is one of many of its window, which moves on with time. */
  readonly rolls: boolean
  /** True where counts must outlast a restart. */
  readonly lasts: boolean
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Pieces of a rolling window: use is freed late by one of them at most. */
const pieces = 120

const fixed = (length: number, lasts: boolean): WindowShape => ({
  pieceAt: (now) => {
    const at = now - (now % length)
    return { at, end: at + length }
  },
  since: (now) => now - (now % length),
  freeAt: (at) => at + length,
  rolls: false,
  lasts,
})

/** The last `length` milliseconds, in pieces. */
export const rollingWindow = (length: number, lasts: boolean): WindowShape => {
  const piece = Math.max(1, Math.round(length / pieces))
  return {
    pieceAt: (now) => {
      const at = now - (now % piece)
      return { at, end: at + piece }
    },
    // The oldest piece counts until the last moment in it has left the window.
    since: (now) => now - (now % piece) - length,
    freeAt: (at) => at + length + piece,
    rolls: true,
    lasts,
  }
}

const never = Number.MAX_SAFE_INTEGER

const forever: WindowShape = {
  pieceAt: () => ({ at: 0, end: never }),
  since: () => 0,
  freeAt: () => never,
  rolls: false,
  lasts: true,
}

const now: WindowShape = { ...forever, lasts: false }

/** The date of a moment in a zone, as if it were midnight of UTC. */
const dateReader = (zone: string): ((at: number) => number) => {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' })
  return (at) => Date.parse(`${format.format(at)}T00:00:00Z`)
}

/** The first minute in the zone whose date is this one or a later one. */
const startOf = (date: number, dateOf: (at: number) => number): number => {
  // No clock differs from UTC's by a day.
  let at = date - day
  while (dateOf(at) < date) at += hour
  while (dateOf(at - minute) >= date) at -= minute
  return at
}

const mondayOf = (date: number): number => date - ((new Date(date).getUTCDay() + 6) % 7) * day
const monthOf = (date: number, ahead = 0): number => {
  const at = new Date(date)
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + ahead, 1)
}

/** First date of the period of a date, and of the one after it. */
const periods: Readonly<Record<'day' | 'week' | 'month', (date: number) => readonly [number, number]>> = {
  day: (date: number) => [date, date + day],
  week: (date: number) => [mondayOf(date), mondayOf(date) + 7 * day],
  month: (date: number) => [monthOf(date), monthOf(date, 1)],
}

const calendar = (period: keyof typeof periods, zone: string): WindowShape => {
  const dateOf = dateReader(zone)
  let last: Piece = { at: 0, end: 0 }
  const pieceAt = (time: number): Piece => {
    if (time >= last.at && time < last.end) return last
    const [from, to] = periods[period](dateOf(time))
    last = { at: startOf(from, dateOf), end: startOf(to, dateOf) }
    return last
  }
  return { pieceAt, since: (time) => pieceAt(time).at, freeAt: (at) => pieceAt(at).end, rolls: false, lasts: true }
}

/** The window of a limit. */
export const windowOf = ({
  window,
  hours,
  time_zone: zone,
}: Pick<Limit, 'window' | 'hours' | 'time_zone'>): WindowShape => {
  switch (window) {
    case 'minute':
      return fixed(minute, false)
    case 'hour':
      return fixed(hour, true)
    case 'rolling':
      return rollingWindow(hours * hour, true)
    case 'forever':
      return forever
    case 'now':
      return now
    default:
      return calendar(window, zone)
  }
}
