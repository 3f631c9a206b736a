/** Work that runs one after the other, in the order it was given. A failure concerns only its own caller. */
export interface Lane {
  run<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when everything given so far is done. */
  idle(): Promise<void>
}

/**
 * Every movement and every load of a balance of this node goes through one lane: what a later job read can never be
 * overwritten by what an earlier one did.
 */
export const createLane = (): Lane => {
  let last: Promise<unknown> = Promise.resolve()
  return {
    run(work) {
      const result = last.then(work)
      last = result.catch(() => undefined)
      return result
    },
    idle: async () => {
      await last
    },
  }
}
