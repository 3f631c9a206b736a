/** Collects what a target dialect cannot say, by the names of the client's fields, e.g. `logit_bias`, `messages.audio`. */
export interface Losses {
  lose(field: string): void
  /** Sorted, each once. */
  list(): readonly string[]
}

export const createLosses = (): Losses => {
  const fields = new Set<string>()
  return {
    lose: (field) => {
      fields.add(field)
    },
    list: () => [...fields].sort(),
  }
}
