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

/** A serial queue for each name; a name without jobs takes no memory. */
export interface SerialQueues {
  run<T>(name: string, job: () => Promise<T>): Promise<T>
}

export const createSerialQueues = (): SerialQueues => {
  const queues = new Map<string, { readonly queue: SerialQueue; jobs: number }>()
  return {
    async run(name, job) {
      const entry = queues.get(name) ?? { queue: createSerialQueue(), jobs: 0 }
      queues.set(name, entry)
      entry.jobs += 1
      try {
        return await entry.queue.run(job)
      } finally {
        entry.jobs -= 1
        if (entry.jobs === 0) queues.delete(name)
      }
    },
  }
}
