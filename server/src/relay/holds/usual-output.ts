/** How many completion tokens a model usually writes where the client sets no maximum. In memory, one per process. */
export interface UsualOutput {
  /** Completion tokens of one answer; about nine of ten answers are no longer. */
  of(model: string): number
  /** Takes note of an answer that had no maximum. */
  learn(model: string, tokens: number): void
}

/** Expected of a model before its first answer, and the least that is ever expected. */
const leastTokens = 500
/** Longer answers count as this: one broken report must not make a model too dear to call. */
const mostTokens = 200_000
/** A longer answer moves the figure ten times as far as a shorter one, so that it settles near the ninth decile. */
const stepUp = 0.2
const stepDown = 0.02
const mostModels = 2000

export const openUsualOutput = (): UsualOutput => {
  const known = new Map<string, number>()
  return {
    of: (model) => known.get(model) ?? leastTokens,
    learn(model, tokens) {
      const before = known.get(model) ?? leastTokens
      const difference = Math.min(tokens, mostTokens) - before
      const after = Math.max(leastTokens, before + difference * (difference > 0 ? stepUp : stepDown))
      if (after === before) return
      if (known.size >= mostModels && !known.has(model)) known.clear()
      known.set(model, after)
    },
  }
}
