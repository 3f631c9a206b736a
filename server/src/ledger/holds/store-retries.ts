import { setTimeout as sleep } from 'node:timers/promises'

/** Retries requests to a store that was lost a moment ago, so that a short outage fails no call. */
export interface StoreRetries {
  /** The store does not answer. */
  lost(): void
  /** The store answers again. */
  found(): void
  /**
   * Repeats `question` until the store or `instead` answers. Throws the store's last error once it was lost, or first asked, more than
   * `longestMs` ago; at once where the caller does not wait.
   */
  ask<T>(question: () => Promise<T>, instead: () => T | undefined, waits: boolean): Promise<T>
}

const pauseMs = 50

/** Calls wait at most `longestMs`. `now` are milliseconds that never go back. */
export const openStoreRetries = (longestMs: number, now: () => number): StoreRetries => {
  let lostAt: number | undefined
  const lost = (): void => {
    lostAt ??= now()
  }
  return {
    lost,

    found() {
      lostAt = undefined
    },

    async ask(question, instead, waits) {
      const began = now()
      for (;;) {
        try {
          const answer = await question()
          // A store that was silent but kept its connection gives no other sign of its return.
          lostAt = undefined
          return answer
        } catch (error) {
          lost()
          const answer = instead()
          if (answer !== undefined) return answer
          if (!waits || now() >= Math.min(began, lostAt ?? began) + longestMs) throw error
          await sleep(pauseMs)
        }
      }
    },
  }
}
