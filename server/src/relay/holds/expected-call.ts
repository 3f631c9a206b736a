import type { Expected } from '../../billing/reserve.ts'
import { listOf } from '../../dialects/conversation/json.ts'
import { maxTokensOf, numberOf, requestedTier } from '../../dialects/conversation/request-fields.ts'
import type { RelayCall } from '../call.ts'
import { spokenLength } from '../usage/expected-tokens.ts'
import { dearestPictures } from '../usage/pictures.ts'

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
  const lengths = new Map<string, number>()
  return {
    of: (model) => lengths.get(model) ?? leastTokens,
    learn(model, tokens) {
      const before = lengths.get(model) ?? leastTokens
      const difference = Math.min(tokens, mostTokens) - before
      const after = Math.max(leastTokens, before + difference * (difference > 0 ? stepUp : stepDown))
      if (after === before) return
      if (lengths.size >= mostModels && !lengths.has(model)) lengths.clear()
      lengths.set(model, after)
    },
  }
}

/** True if answers are made of completion tokens. */
const isWritten = ({ endpoint, dialect }: RelayCall): boolean => dialect !== undefined || endpoint === 'completions'

/** A list of texts or of lists of tokens is as many prompts; a list of tokens is one. */
const promptsOf = ({ endpoint, body: { prompt } }: RelayCall): number =>
  endpoint === 'completions' && typeof listOf(prompt)[0] !== 'number' ? Math.max(1, listOf(prompt).length) : 1

/** How many answers a client wants. All of `best_of` are billed, also those that are not shown. */
export const answersOf = (call: RelayCall): number => {
  const { body, dialect } = call
  const wanted = dialect === undefined ? body.n : dialect.requestRules.answers(body)
  return Math.max(1, numberOf(wanted), numberOf(body.best_of)) * promptsOf(call)
}

/** Documents that one search of a rerank call covers (docs.cohere.com/docs/how-does-cohere-pricing-work). */
const documentsPerSearch = 100

export interface ExpectedCall extends Expected {
  readonly answers: number
  /** True where the client set no maximum, so that `outputTokens` is what the model usually writes. */
  readonly unbounded: boolean
}

/** What a call may come to, whose prompt has so many tokens at most. */
export const expectedCall = (
  call: RelayCall,
  { preConsumedTokens }: { readonly preConsumedTokens: number },
  usual: UsualOutput,
  promptTokens: number,
): ExpectedCall => {
  const { endpoint, body, raw } = call
  const rules = call.dialect?.requestRules
  const maxTokens = isWritten(call) ? (rules?.maxTokens ?? maxTokensOf)(body) : 0
  const unbounded = isWritten(call) && maxTokens < 1
  return {
    promptTokens,
    outputTokens: unbounded ? usual.of(call.model) : maxTokens,
    unbounded,
    answers: answersOf(call),
    leastTokens: Math.max(preConsumedTokens, spokenLength(call)),
    calls: endpoint === 'rerank' ? Math.ceil(listOf(body.documents).length / documentsPerSearch) : 1,
    cached: rules?.cachedFor(raw),
    spoken: rules?.maySpeak(body) ?? false,
    images: endpoint === 'images' ? dearestPictures(call) : undefined,
    tier: (rules?.serviceTier ?? requestedTier)(body),
  }
}
