import type { Expected } from '../../billing/reserve.ts'
import { noUsage, type Usage } from '../../billing/usage.ts'
import { listOf } from '../../dialects/conversation/json.ts'
import { maxTokensOf, numberOf, requestedPlace, requestedTier } from '../../dialects/conversation/request-fields.ts'
import { rulesOf } from '../../dialects/facts/models.ts'
import { billedTools } from '../../dialects/tools/provider-tools.ts'
import { createBoundedCache } from '../../lib/caches/bounded-cache.ts'
import type { RelayCall } from '../call.ts'
import { groupMarks } from '../exchange/cache-marks.ts'
import type { RelayOptions } from '../ports.ts'
import { spokenLength } from '../usage/expected-tokens.ts'
import { searchUnitsOf } from '../usage/limits.ts'
import { dearestPictures, uploadedTokens } from '../usage/pictures.ts'
import { mostSpokenTokens } from '../usage/sound/spoken-sound.ts'
import { longestSound, measuredSound } from '../usage/transcript-usage.ts'
import { type CacheMarks, longerMarks } from './channel-marks.ts'

/** How many completion tokens a model usually writes where the client sets no maximum. In memory, one per process. */
export interface UsualOutput {
  /** Completion tokens of one answer; about nine of ten answers are no longer. */
  of(model: string): number
  /** Takes note of an answer that had no maximum. */
  learn(model: string, tokens: number): void
  /** The place that the last answers of a model state, which no call asked for: a default of the workspace. undefined for none. */
  placeOf(model: string): string | undefined
  /** Takes note of the place that an answer states, or of its stating none. */
  learnPlace(model: string, place: string | undefined): void
  /** The service tier that the last answers of a model state, which no call asked for. undefined for the standard one. */
  tierOf(model: string): string | undefined
  /** Takes note of the tier that an answer states to a call that asked for none. */
  learnTier(model: string, tier: string | undefined): void
}

/** Expected of a model before its first answer, and the least that is ever expected. */
const leastTokens = 500
/** Longer answers count as this: one broken report must not make a model too dear to call. */
const mostTokens = 200_000
/** A longer answer moves the figure ten times as far as a shorter one, so that it settles near the ninth decile. */
const stepUp = 0.2
const stepDown = 0.02
const mostModels = 2000

/** What the last answers of models state unasked. */
const openStated = () => {
  const stated = createBoundedCache<string, string>({ entries: mostModels })
  return {
    of: (model: string): string | undefined => (stated.size === 0 ? undefined : stated.get(model)),
    learn(model: string, value: string | undefined): void {
      if (value === undefined) {
        if (stated.size > 0) stated.delete(model)
        return
      }
      stated.set(model, value)
    },
  }
}

export const openUsualOutput = (): UsualOutput => {
  const lengths = createBoundedCache<string, number>({ entries: mostModels })
  const places = openStated()
  const tiers = openStated()
  return {
    placeOf: places.of,
    learnPlace: places.learn,
    tierOf: tiers.of,
    learnTier: tiers.learn,
    of: (model) => lengths.get(model) ?? leastTokens,
    learn(model, tokens) {
      const before = lengths.get(model) ?? leastTokens
      const difference = Math.min(tokens, mostTokens) - before
      const after = Math.max(leastTokens, before + difference * (difference > 0 ? stepUp : stepDown))
      if (after === before) return
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

const noForm = { contentType: '', file: undefined, files: [] }

type Sent = Pick<Expected, 'soundTokens' | 'measures' | 'spokenTokens'>

/** What is sent of measures other than tokens, and the tokens that sound stands for, of the request or of the answer. */
const sentIn = (call: RelayCall, searches: number): Sent => {
  const { endpoint } = call
  if (endpoint === 'speech') {
    const { input } = call.body
    return {
      measures: { characters: spokenLength(call) },
      spokenTokens: typeof input === 'string' ? mostSpokenTokens(input) : 0,
    }
  }
  if (endpoint === 'rerank') return { measures: { queries: searches } }
  return endpoint === 'transcripts' ? soundSent(longestSound(call.form ?? noForm)) : {}
}

const soundSent = ({ input, measures }: Usage): Sent => ({ soundTokens: input, measures })

/** The same call with as little sound as an upload may hold. */
export const withoutSound = (expected: ExpectedCall): ExpectedCall =>
  expected.soundTokens === undefined ? expected : { ...expected, ...soundSent(noUsage) }

/** The same call with the sound that was sent as long as it is, for calls that sent some. */
export const withMeasuredSound = async (call: RelayCall, expected: ExpectedCall): Promise<ExpectedCall> => {
  if (expected.soundTokens === undefined) return expected
  const { usage } = await measuredSound(call.form ?? noForm)
  return { ...expected, ...soundSent(usage) }
}

/** True if the prompt may hold sound. */
const mayHoldAudio = ({ endpoint, raw }: RelayCall): boolean => endpoint === 'conversation' && raw.includes('audio')

export interface ExpectedCall extends Expected {
  readonly answers: number
  /** True where the client set no maximum, so that `outputTokens` is what the model usually writes. */
  readonly unbounded: boolean
}

/** Models that take caches with marks are cached unasked, too, and what they write has a price of its own. */
const unaskedMarks = (model: string): CacheMarks => (rulesOf(model)?.breakpoints === true ? '5m' : undefined)

/** What a call may come to, whose prompt has so many tokens at most, and that a channel may mark for its cache. */
export const expectedCall = (
  call: RelayCall,
  options: Pick<RelayOptions, 'preConsumedTokens' | 'cacheMarks'>,
  usual: UsualOutput,
  promptTokens: number,
  channelMarks: CacheMarks,
): ExpectedCall => {
  const { endpoint, body, raw } = call
  const rules = call.dialect?.requestRules
  const maxTokens = isWritten(call) ? (rules?.maxTokens ?? maxTokensOf)(body) : 0
  const unbounded = isWritten(call) && maxTokens < 1
  const searches = endpoint === 'rerank' ? searchUnitsOf(call).expected : 1
  return {
    promptTokens,
    outputTokens: unbounded ? usual.of(call.model) : maxTokens,
    unbounded,
    answers: answersOf(call),
    leastTokens: Math.max(options.preConsumedTokens, spokenLength(call)),
    calls: searches,
    ...sentIn(call, searches),
    mayHoldAudio: mayHoldAudio(call),
    cached: rules?.cachedFor(raw) ?? longerMarks(groupMarks(options, call), channelMarks) ?? unaskedMarks(call.model),
    spoken: rules?.maySpeak(body) ?? false,
    images: endpoint === 'images' ? dearestPictures(call) : undefined,
    pictureTokens: endpoint === 'images' ? uploadedTokens(call) : 0,
    tier: (rules?.serviceTier ?? requestedTier)(body) ?? usual.tierOf(call.model),
    tools: billedTools(body),
    place: requestedPlace(body) ?? usual.placeOf(call.model),
  }
}
