/** At most `count` calls in any `seconds`; none is counted unless it is enabled. */
export interface RateRule {
  readonly enabled: boolean
  readonly count: number
  readonly seconds: number
}

/** Counts calls under a key, for all nodes together. */
export interface RateLimiter {
  /** Counts one call, or answers false when `count` calls lie within the last `seconds`; refused calls are not counted. */
  take(key: string, limit: RateRule): boolean | Promise<boolean>
  /** Forgets the latest call counted under a key, e.g. because it turned out to be no failure. */
  giveBack(key: string): void | Promise<void>
}
