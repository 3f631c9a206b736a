import type { Expected } from '../../billing/reserve.ts'
import { noUsage, type Usage } from '../../billing/usage.ts'
import { listOf } from '../../dialects/conversation/json.ts'
import { maxTokensOf, numberOf, requestedPlace, requestedTier } from '../../dialects/conversation/request-fields.ts'
import { billedTools } from '../../dialects/tools/provider-tools.ts'
import type { RelayCall } from '../call.ts'
import type { RelayOptions } from '../ports.ts'
import { spokenLength } from '../usage/expected-tokens.ts'
import { searchUnitsOf } from '../usage/limits.ts'
import { dearestPictures, uploadedTokens } from '../usage/pictures.ts'
import { mostSpokenTokens } from '../usage/sound/spoken-sound.ts'
import { longestSound, measuredSound } from '../usage/transcript-usage.ts'
import type { CacheMarks } from './channel-marks.ts'
import type { UsualAnswer } from './usual-output.ts'

/** True if answers are made of completion tokens. */
const isWritten = ({ endpoint, dialect }: RelayCall): boolean => dialect !== undefined || endpoint === 'completions'

/** A list of texts or of lists of tokens is as many prompts; a list of tokens is one. */
const promptsOf = ({ endpoint, body: { prompt } }: RelayCall): number =>
  endpoint === 'completions' && typeof listOf(prompt)[0] !== 'number' ? Math.max(1, listOf(prompt).length) : 1

/** Number of requested answers. All of `best_of` are billed, including those that are not returned. */
export const answersOf = (call: RelayCall): number => {
  const { body, dialect } = call
  const wanted = dialect === undefined ? body.n : dialect.requestRules.answers(body)
  return Math.max(1, numberOf(wanted), numberOf(body.best_of)) * promptsOf(call)
}

const noForm = { contentType: '', file: undefined, files: [] }

type Sent = Pick<Expected, 'soundTokens' | 'measures' | 'spokenTokens'>

/** Measures other than tokens, and the tokens of sound, in the request or the answer. */
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

/** The same call with the least sound that an upload can contain. */
export const withoutSound = (expected: ExpectedCall): ExpectedCall =>
  expected.soundTokens === undefined ? expected : { ...expected, ...soundSent(noUsage) }

/** The same call with the measured length of its sound, for calls with sound. */
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

/** Inputs of an estimate beside the body of the call: options, the usual answer of its model, and the cache of a prompt that sets none. */
export interface OutsideBody {
  readonly options: Pick<RelayOptions, 'preConsumedTokens'>
  readonly usual: UsualAnswer
  readonly marks: CacheMarks
}

/** Upper estimate of a call with at most this many prompt tokens. */
export const expectedCall = (
  call: RelayCall,
  promptTokens: number,
  { options, usual, marks }: OutsideBody,
): ExpectedCall => {
  const { endpoint, body, raw } = call
  const rules = call.dialect?.requestRules
  const maxTokens = isWritten(call) ? (rules?.maxTokens ?? maxTokensOf)(body) : 0
  const unbounded = isWritten(call) && maxTokens < 1
  const searches = endpoint === 'rerank' ? searchUnitsOf(call).expected : 1
  return {
    promptTokens,
    outputTokens: unbounded ? usual.tokens : maxTokens,
    unbounded,
    answers: answersOf(call),
    leastTokens: Math.max(options.preConsumedTokens, spokenLength(call)),
    calls: searches,
    ...sentIn(call, searches),
    mayHoldAudio: mayHoldAudio(call),
    cached: rules?.cachedFor(raw) ?? marks,
    spoken: rules?.maySpeak(body) ?? false,
    images: endpoint === 'images' ? dearestPictures(call) : undefined,
    pictureTokens: endpoint === 'images' ? uploadedTokens(call) : 0,
    tier: (rules?.serviceTier ?? requestedTier)(body) ?? usual.tier,
    tools: billedTools(body),
    place: requestedPlace(body) ?? usual.place,
  }
}
