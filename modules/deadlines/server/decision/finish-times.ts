/** Times that jobs of one kind took from their begin to their end, as far as they were seen. */
export interface FinishTimes {
  /** Share of jobs, from 0 to 1, that end within so many milliseconds. It never falls with longer times. */
  within(ms: number): number
  /** Milliseconds that the slowest finished job took, or what is assumed of it before enough were seen. */
  readonly slowestMs: number
  /** Milliseconds that a finished job took on average, as far as is known or assumed. */
  readonly usualMs: number
}

/** Times that are assumed before jobs were seen, in milliseconds. */
export interface AssumedTimes {
  /** Half of all jobs end within it. */
  readonly usualMs: number
  /** Nearly all jobs end within it. */
  readonly longMs: number
}

export interface LearnedTimes extends FinishTimes {
  /** Adds a job that took so many milliseconds; Infinity for one that was given up. */
  note(ms: number): void
}

/** Jobs that are kept of one kind: the latest ones. */
const mostSeen = 128
/** The assumption counts as so many jobs. */
const assumedJobs = 8
const nearlyAll = 0.99

/** Share of jobs that are assumed to end in time: linear up to the usual and then up to the long time. */
const assumedWithin = ({ usualMs, longMs }: AssumedTimes, ms: number): number => {
  if (ms >= longMs) return nearlyAll
  if (ms <= usualMs) return Math.max(0, ms / usualMs) / 2
  return 0.5 + ((nearlyAll - 0.5) * (ms - usualMs)) / (longMs - usualMs)
}

/** Opens the times of one kind of jobs, which begin with an assumption that jobs outweigh as they are seen. */
export const openFinishTimes = (assumed: AssumedTimes): LearnedTimes => {
  const seen: number[] = []
  let next = 0
  return {
    within(ms) {
      const inTime = seen.reduce((count, each) => (each <= ms ? count + 1 : count), 0)
      return (inTime + assumedJobs * assumedWithin(assumed, ms)) / (seen.length + assumedJobs)
    },
    get slowestMs() {
      const slowest = seen.reduce((most, each) => (Number.isFinite(each) ? Math.max(most, each) : most), 0)
      return seen.length < assumedJobs ? Math.max(slowest, assumed.longMs) : slowest
    },
    get usualMs() {
      const finite = seen.filter(Number.isFinite)
      const sum = finite.reduce((total, each) => total + each, assumedJobs * assumed.usualMs)
      return sum / (finite.length + assumedJobs)
    },
    note(ms) {
      seen[next] = ms
      next = (next + 1) % mostSeen
    },
  }
}
