import { createBoundedCache } from './caches/bounded-cache.ts'

/**
 * Memoizes `make` by its text. Keeps at most `most` results, those in use first, so callers cannot fill the memory with texts of
 * their own; keys should be short. Cheap enough for the hot path.
 */
export const memoize = <T extends object | string | boolean>(
  most: number,
  make: (text: string) => T,
): ((text: string) => T) => {
  const results = createBoundedCache<string, T>({ entries: most })
  return (text) => {
    const cached = results.get(text)
    if (cached !== undefined) return cached
    const result = make(text)
    results.set(text, result)
    return result
  }
}
