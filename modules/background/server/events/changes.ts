/** Wakes those who wait for a change of something by its id, in this process. */
export interface Changes {
  /** Resolves at the next change. */
  next(id: string): Promise<void>
  fire(id: string): void
}

export const openChanges = (): Changes => {
  const waiting = new Map<string, PromiseWithResolvers<void>>()
  return {
    next(id) {
      const bell = waiting.get(id) ?? Promise.withResolvers<void>()
      waiting.set(id, bell)
      return bell.promise
    },
    fire(id) {
      waiting.get(id)?.resolve()
      waiting.delete(id)
    },
  }
}
