/** A map that forgets what was not used for long once it holds `limit` entries. */
export interface BoundedMap<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): void
  delete(key: K): boolean
  clear(): void
  entries(): IterableIterator<[K, V]>
}

interface Kept<V> {
  readonly value: V
  /** Since it was last considered for forgetting. */
  used: boolean
}

/** Second chance instead of exact order: looking up changes no order, because it happens on every call. */
export const boundedMap = <K, V>(limit: number): BoundedMap<K, V> => {
  const kept = new Map<K, Kept<V>>()

  const forgetOne = (): void => {
    for (const [key, entry] of kept) {
      kept.delete(key)
      if (!entry.used) return
      entry.used = false
      kept.set(key, entry)
    }
  }

  return {
    get: (key) => {
      const entry = kept.get(key)
      if (entry === undefined) return undefined
      entry.used = true
      return entry.value
    },
    set: (key, value) => {
      kept.delete(key)
      if (kept.size >= limit) forgetOne()
      kept.set(key, { value, used: false })
    },
    delete: (key) => kept.delete(key),
    clear: () => kept.clear(),
    *entries() {
      for (const [key, { value }] of kept) yield [key, value] as [K, V]
    },
  }
}
