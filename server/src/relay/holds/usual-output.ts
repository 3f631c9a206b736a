import { createBoundedCache } from '../../lib/caches/bounded-cache.ts'

/** Typical answers of a model to calls without special options. */
export interface UsualAnswer {
  /** Completion tokens where the client sets no maximum; about nine of ten answers are no longer. */
  readonly tokens: number
  /** Region that the last answers state without a request for it: a default of the workspace. undefined for none. */
  readonly place: string | undefined
  /** Service tier that the last answers state without a request for it. undefined for the standard one. */
  readonly tier: string | undefined
}

/** The usual answers of models. In memory, one per process. */
export interface UsualOutput {
  of(model: string): UsualAnswer
  /** Learns from an answer; `tokens` are 0 where its call set a maximum, and are then ignored. */
  learn(model: string, answer: UsualAnswer): void
}

/** Expected of a model before its first answer, and the least that is ever expected. */
const leastTokens = 500
/** Longer answers count as this: one broken report must not make a model too dear to call. */
const mostTokens = 200_000
/** A longer answer moves the figure ten times as far as a shorter one, so that it settles near the ninth decile. */
const stepUp = 0.2
const stepDown = 0.02
const mostModels = 2000

/** Of a model that has not answered yet. */
export const firstAnswer: UsualAnswer = { tokens: leastTokens, place: undefined, tier: undefined }

const moved = (before: number, tokens: number): number => {
  const difference = Math.min(tokens, mostTokens) - before
  return Math.max(leastTokens, before + difference * (difference > 0 ? stepUp : stepDown))
}

export const openUsualOutput = (): UsualOutput => {
  const known = createBoundedCache<string, UsualAnswer>({ entries: mostModels })
  return {
    of: (model) => known.get(model) ?? firstAnswer,
    learn(model, { tokens, place, tier }) {
      const before = known.get(model) ?? firstAnswer
      const length = tokens > 0 ? moved(before.tokens, tokens) : before.tokens
      if (length === before.tokens && place === before.place && tier === before.tier) return
      known.set(model, { tokens: length, place, tier })
    },
  }
}
