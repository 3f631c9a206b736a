import type { StoredObject } from '../../relay/stored/ports.ts'

/** An object in memory. */
export interface RecentObject {
  readonly object: StoredObject
  /** The encrypted text. */
  readonly text: string
  /** Unix seconds. */
  readonly expires: number
}

/** The objects that were put or used last, up to a size. */
export interface RecentObjects {
  get(idHash: string): RecentObject | undefined
  set(idHash: string, entry: RecentObject): void
  delete(idHash: string): void
}

/** `most` bounds the UTF-16 units of all texts; an object beside its text takes about as much. */
export const openRecentObjects = (most: number): RecentObjects => {
  const entries = new Map<string, RecentObject>()
  let size = 0

  const remove = (idHash: string): void => {
    const entry = entries.get(idHash)
    if (entry === undefined) return
    size -= entry.text.length
    entries.delete(idHash)
  }

  return {
    get(idHash) {
      const entry = entries.get(idHash)
      if (entry === undefined) return undefined
      entries.delete(idHash)
      entries.set(idHash, entry)
      return entry
    },
    set(idHash, entry) {
      remove(idHash)
      entries.set(idHash, entry)
      size += entry.text.length
      for (const oldest of entries.keys()) {
        if (size <= most) break
        remove(oldest)
      }
    },
    delete: remove,
  }
}
