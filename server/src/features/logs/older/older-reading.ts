/** How far rows that left the table were read for one answer. */
export interface OlderReading {
  /** Months that the range reaches into, as `2026-03`. */
  readonly months: Set<string>
  /** When reading ends, by `performance.now()`. */
  readonly until: number
  /** Why not all of it was read. */
  problem?: 'too_long' | 'unavailable'
}

/** A list waits for so long; milliseconds. */
const longestMs = 5_000

export const startReading = (longest = longestMs): OlderReading => ({
  months: new Set(),
  until: performance.now() + longest,
})
