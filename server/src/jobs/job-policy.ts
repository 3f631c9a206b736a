import type { StoredJob } from './job-store.ts'

/** Jobs that share an upstream, a reader or another thing that takes only so much. */
export interface KeyLimit<J extends StoredJob> {
  keyOf(job: J): string
  /** Jobs of one key at a time. */
  readonly atOnce: number
  /** Least milliseconds between the beginning of one job and the beginning of the next in its place. */
  readonly paceMs: number
}

/** Jobs that begin now: in their order, as many as there is room for, and of each key no more than it takes. */
export const nextJobs = <J extends StoredJob>(
  waiting: readonly J[],
  room: number,
  keys?: { readonly limit: KeyLimit<J>; readonly busy: ReadonlyMap<string, number> },
): readonly J[] => {
  if (keys === undefined) return waiting.slice(0, Math.max(0, room))
  const { limit } = keys
  const busy = new Map(keys.busy)
  const next: J[] = []
  for (const job of waiting) {
    if (next.length >= room) break
    const key = limit.keyOf(job)
    const count = busy.get(key) ?? 0
    if (count >= limit.atOnce) continue
    busy.set(key, count + 1)
    next.push(job)
  }
  return next
}

/** Pauses before the next attempts, in seconds; the last one repeats. */
export type Pauses = readonly number[]

/** Pauses that grow by a factor, up to the longest. */
export const growingPauses = (pauses: {
  readonly first: number
  readonly growth: number
  readonly longest: number
}): Pauses => {
  const { growth, longest } = pauses
  const list = [Math.min(pauses.first, longest)]
  for (let next = pauses.first * growth; next < longest; next *= growth) list.push(next)
  return list.at(-1) === longest ? list : [...list, longest]
}

/** The pause after so many failures in a row, at least one. */
export const pauseAfter = (pauses: Pauses, failures: number): number =>
  pauses[Math.min(Math.max(failures, 1), pauses.length) - 1] ?? 0
