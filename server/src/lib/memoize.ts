/**
 * Memoizes `make` by its text. Forgets all results once `most` texts are kept, so callers cannot fill the memory with texts of
 * their own; keys should be short. Cheap enough for the hot path.
 */
export const memoize = <T extends object | string | boolean>(
  most: number,
  make: (text: string) => T,
): ((text: string) => T) => {
  const results = new Map<string, T>()
  return (text) => {
    const cached = results.get(text)
    if (cached !== undefined) return cached
    const result = make(text)
    if (results.size >= most) results.clear()
    results.set(text, result)
    return result
  }
}
