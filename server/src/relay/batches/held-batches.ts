import type { Hold } from '../ports.ts'

interface HeldBatch {
  readonly hold: Hold
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Holds of this process for batches that are not charged yet, by their ids. */
export interface HeldBatches {
  keep(id: number, hold: Hold, at: number): void
  /** Hands the hold over to the caller; those that were added to it are released. */
  take(id: number): HeldBatch | undefined
  release(id: number): void
  has(id: number): boolean
  ids(): readonly number[]
}

export const openHeldBatches = (): HeldBatches => {
  const held = new Map<number, HeldBatch[]>()
  const release = (id: number): void => {
    for (const { hold } of held.get(id) ?? []) hold.release()
    held.delete(id)
  }
  return {
    keep(id, hold, at) {
      held.set(id, [...(held.get(id) ?? []), { hold, at }])
    },
    take(id) {
      const [first, ...more] = held.get(id) ?? []
      for (const { hold } of more) hold.release()
      held.delete(id)
      return first
    },
    release,
    has: (id) => held.has(id),
    ids: () => [...held.keys()],
  }
}
