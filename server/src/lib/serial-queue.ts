/** Runs jobs one after the other, in the order of their arrival. A job that fails concerns only its own caller. */
export interface SerialQueue {
  run<T>(job: () => Promise<T>): Promise<T>
  /** Resolves when all jobs so far have ended. */
  idle(): Promise<void>
}

export const createSerialQueue = (): SerialQueue => {
  let last: Promise<unknown> = Promise.resolve()
  return {
    run(job) {
      const result = last.then(job)
      last = result.catch(() => undefined)
      return result
    },
    idle: async () => {
      await last
    },
  }
}
