import { setTimeout as sleep } from 'node:timers/promises'

/** Asks a store again that was lost a moment ago, so that no call fails because it asked in that very moment. */
export interface StoreRetries {
  /** The store does not answer. */
  lost(): void
  /** The store answers again. */
  found(): void
  /**
   * Asks until the store or `instead` answers. Throws what the store threw last once it was lost, or asked for the first time, longer ago
   * than anybody waits; at once where the caller does not wait.
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
          // One that was silent for a while has kept its connection: nothing else says that it is back.
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
