export interface BoundedCache<K, V> {
  /** Marks the entry as used. */
  get(key: K): V | undefined
  /** Marks nothing. */
  has(key: K): boolean
  /** Stores `value`, and evicts others beyond the bound. A value larger than the bound of bytes is not stored. */
  set(key: K, value: V): void
  delete(key: K): boolean
  clear(): void
  readonly size: number
  /** In the order in which they were set; an entry that was only read keeps its place. */
  entries(): IterableIterator<[K, V]>
}

/** The most bytes of all values together, each as `bytesOf` tells it; any other unit does as well. */
interface ByteBound<K, V> {
  readonly most: number
  readonly bytesOf: (value: V, key: K) => number
}

/** The most entries, at least one; the most bytes; or both. */
type Bounds<K, V> =
  | { readonly entries: number; readonly bytes?: ByteBound<K, V> }
  | { readonly entries?: undefined; readonly bytes: ByteBound<K, V> }

interface Slot<K, V> {
  readonly key: K
  readonly value: V
  readonly bytes: number
  /** In the ring. */
  readonly index: number
  /** Since the hand last passed. */
  used: boolean
}

const noBytes = (): number => 0

/**
 * A bounded cache. Beyond the bound it evicts old entries that were not used since the last check ("second chance"): entries in use
 * stay, however many others pass, and it is never emptied whole. A hand goes round a ring of entries, so that reading and writing take
 * constant time: a `Map` whose first entries are removed repeatedly is slow to iterate.
 */
export const createBoundedCache = <K, V>({
  entries: most = Number.POSITIVE_INFINITY,
  bytes,
}: Bounds<K, V>): BoundedCache<K, V> => {
  const { most: mostBytes, bytesOf } = bytes ?? { most: 0, bytesOf: noBytes }
  const slots = new Map<K, Slot<K, V>>()
  const ring: (Slot<K, V> | undefined)[] = []
  const free: number[] = []
  let hand = 0
  let total = 0

  const remove = (slot: Slot<K, V>): void => {
    slots.delete(slot.key)
    ring[slot.index] = undefined
    free.push(slot.index)
    total -= slot.bytes
  }

  const forgetOne = (): void => {
    while (true) {
      const slot = ring[hand]
      hand = hand + 1 < ring.length ? hand + 1 : 0
      if (slot === undefined) continue
      if (!slot.used) {
        remove(slot)
        return
      }
      slot.used = false
    }
  }

  return {
    get: (key) => {
      const slot = slots.get(key)
      if (slot === undefined) return undefined
      slot.used = true
      return slot.value
    },
    has: (key) => slots.has(key),
    set: (key, value) => {
      const known = slots.get(key)
      if (known !== undefined) remove(known)
      const size = bytesOf(value, key)
      if (size > mostBytes) return
      while (slots.size > 0 && (slots.size >= most || total + size > mostBytes)) forgetOne()
      const index = free.pop() ?? ring.length
      const slot = { key, value, bytes: size, index, used: known !== undefined }
      ring[index] = slot
      slots.set(key, slot)
      total += size
    },
    delete: (key) => {
      const slot = slots.get(key)
      if (slot === undefined) return false
      remove(slot)
      return true
    },
    clear: () => {
      slots.clear()
      ring.length = 0
      free.length = 0
      hand = 0
      total = 0
    },
    get size() {
      return slots.size
    },
    *entries() {
      for (const [key, { value }] of slots) yield [key, value]
    },
  }
}
