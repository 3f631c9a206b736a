/**
 * Collects look-ups that arrive during a read into the next one, so that one read runs at a time. `read` gets up to `most` distinct
 * keys and returns the values that it found. A failed read rejects its own look-ups only.
 */
export const batchedLookup = <Key, Found>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Found>>,
  most: number,
): ((key: Key) => Promise<Found | undefined>) => {
  interface Waiting {
    readonly key: Key
    readonly resolve: (found: Found | undefined) => void
    readonly reject: (error: unknown) => void
  }
  let waiting: Waiting[] = []
  let isReading = false

  const readWaiting = async (): Promise<void> => {
    isReading = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, most)
      waiting = waiting.slice(most)
      try {
        const found = await read([...new Set(batch.map(({ key }) => key))])
        for (const { key, resolve } of batch) resolve(found.get(key))
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    isReading = false
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      if (!isReading) void readWaiting()
    })
}
