/** Ratio of a prompt token read from the cache to a plain one, for models that the CacheRatio option does not name. */
export const defaultCacheRatio = 1

/** Ratio of a prompt token written to the cache for five minutes; the same for every model. */
export const cacheWriteRatio = 1.25

/** Ratio of a prompt token written to the cache for one hour, as Anthropic bills it. */
export const cacheWrite1hRatio = 2
