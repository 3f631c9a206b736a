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
