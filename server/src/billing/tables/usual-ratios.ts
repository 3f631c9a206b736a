/** Prices of parts relative to a plain prompt token, if neither the operator nor a price list states them. */
export const usualRatios = {
  /** Read from the cache. */
  cacheRead: 1,
  /** Written to the cache for five minutes. */
  cacheWrite: 1.25,
  /** Written to the cache for one hour, as Anthropic bills it. */
  cacheWrite1h: 2,
  audioInput: 1,
} as const
