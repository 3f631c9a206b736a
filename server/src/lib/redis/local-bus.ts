import type { Log } from '../log.ts'

/**
 * Notice to a listener. `own` is true when this node sent the message. `resync` follows after the link to the other nodes was down:
 * messages may be missing, so the listener must reload its state.
 */
export type BusNotice =
  | { readonly kind: 'message'; readonly message: string; readonly own: boolean }
  | { readonly kind: 'resync' }

export type BusListener = (notice: BusNotice) => void

/** Listeners of one process by topic. */
export interface LocalBus {
  subscribe(topic: string, listener: BusListener): () => void
  deliver(topic: string, notice: BusNotice): void
  deliverToAll(notice: BusNotice): void
  clear(): void
}

/** A listener that throws is logged; the other listeners are still called. */
export const localBus = (log: Log): LocalBus => {
  const topics = new Map<string, Set<BusListener>>()

  const deliver = (topic: string, notice: BusNotice): void => {
    for (const listener of [...(topics.get(topic) ?? [])]) {
      try {
        listener(notice)
      } catch (error) {
        log.error('bus_listener_failed', { topic, error })
      }
    }
  }

  return {
    subscribe(topic, listener) {
      const listeners = topics.get(topic) ?? new Set()
      topics.set(topic, listeners)
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    deliver,
    deliverToAll(notice) {
      for (const topic of topics.keys()) deliver(topic, notice)
    },
    clear: () => topics.clear(),
  }
}
