/** The difference between the models that an upstream offers and those of a channel. */
export interface ModelDiff {
  readonly fresh: readonly string[]
  readonly gone: readonly string[]
  readonly same: readonly string[]
}

/** Names in the order of their own list. */
export const modelDiff = (chosen: readonly string[], offered: readonly string[]): ModelDiff => {
  const have = new Set(chosen)
  const offers = new Set(offered)
  return {
    fresh: [...offers].filter((name) => !have.has(name)),
    gone: [...have].filter((name) => !offers.has(name)),
    same: [...have].filter((name) => offers.has(name)),
  }
}
