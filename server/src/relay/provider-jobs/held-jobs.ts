import type { LimitEntry } from '../../limits/call-limits.ts'
import type { Hold } from '../ports.ts'

/** Reservation of this process for a job. */
export interface HeldJob {
  readonly hold: Hold
  /** Milliseconds since 1970. */
  readonly at: number
  /** Its entry in limits; absent where none counts it, or another process has it. */
  readonly entry?: LimitEntry | undefined
}

/** Holds of this process for jobs that are not charged yet, by their ids. */
export interface HeldJobs {
  keep(id: number, held: HeldJob): void
  /** Hands the hold over to the caller; those that were added to it are released. */
  take(id: number): HeldJob | undefined
  release(id: number): void
  has(id: number): boolean
  ids(): readonly number[]
}

export const openHeldJobs = (): HeldJobs => {
  const jobs = new Map<number, HeldJob[]>()
  const end = ({ hold, entry }: HeldJob): void => {
    hold.release()
    entry?.settle(undefined)
  }
  return {
    keep(id, held) {
      jobs.set(id, [...(jobs.get(id) ?? []), held])
    },
    take(id) {
      const [first, ...more] = jobs.get(id) ?? []
      for (const one of more) end(one)
      jobs.delete(id)
      return first
    },
    release(id) {
      for (const one of jobs.get(id) ?? []) end(one)
      jobs.delete(id)
    },
    has: (id) => jobs.has(id),
    ids: () => [...jobs.keys()],
  }
}
