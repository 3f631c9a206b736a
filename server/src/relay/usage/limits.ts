import { estimatePrompt } from '../../billing/counting/prompt.ts'
import { sizeOfModel, unknownSize } from '../../billing/tables/model-sizes.ts'
import type { UsageLimits } from '../../billing/usage-reports.ts'
import { isObject, listOf, membersOf } from '../../dialects/conversation/json.ts'
import { maxTokensOf } from '../../dialects/conversation/request-fields.ts'
import { usesProviderTools } from '../../dialects/tools/provider-tools.ts'
import type { Provider } from '../../providers/provider.ts'
import type { RelayCall } from '../call.ts'
import { allowedBy, reasoningBeside } from './requested-maximum.ts'
import { fitsIn } from './sent-prompt.ts'

type Limited = Pick<RelayCall, 'endpoint' | 'dialect' | 'body'> & Partial<Pick<RelayCall, 'raw' | 'form'>>

/** Facts of a provider that decide about accepted usage. */
export type CountingProvider = Pick<Provider, 'reasoningBeside' | 'addsContext'>

/** The sent body and its provider. */
export interface Made {
  /** The body as it was sent to the provider. */
  readonly sent?: Buffer | undefined
  readonly provider?: CountingProvider | undefined
}

/** True if the prompt is one context. Other calls add up many inputs, or are sold by a measure of their own. */
const isOneContext = ({ endpoint, dialect }: Limited): boolean =>
  dialect !== undefined || endpoint === 'realtime' || endpoint === 'live' || endpoint === 'cached_content'

/** Reasoning that some providers do not count into the maximum that a client sets: their longest thinking budgets. */
const reasoningAllowance = 131_072

/** Most times that provider tools send the whole context to the model for one answer. */
const mostRounds = 20

const most = 10_000
const atLeastOne = (value: unknown): number =>
  typeof value === 'number' && value > 1 ? Math.min(Math.floor(value), most) : 1

/** True if the provider may summarise the conversation on its way (Anthropic's compaction), which reads the context again. */
const compacts = ({ context_management: management }: Limited['body']): boolean => isObject(management)

/** Number of answers of a call. */
const answersOf = ({ endpoint, dialect, body }: Limited): number => {
  if (endpoint === 'completions') {
    const prompts = Array.isArray(body.prompt) && typeof body.prompt[0] !== 'number' ? body.prompt.length : 1
    return Math.max(atLeastOne(body.n), atLeastOne(body.best_of)) * Math.max(1, prompts)
  }
  return atLeastOne(dialect === undefined ? body.n : dialect.requestRules.answers(body))
}

/** Image models, which report picture tokens as text. */
const drawsPictures = /image|imagen|banana/i

/** True where a maximum bounds the text of the answer. The settings of a session may change while it runs. */
const isBounded = ({ endpoint, dialect }: Limited, model: string): boolean =>
  (endpoint === 'completions' || (endpoint === 'conversation' && dialect !== undefined)) && !drawsPictures.test(model)

/** Answers with sound or pictures in them. */
const mediaModels = /audio|omni|realtime|tts|voice|speech|live/i
const asksForMedia = ({ body }: Limited, model: string): boolean =>
  mediaModels.test(model) ||
  isObject(body.audio) ||
  [body.modalities, membersOf(body.generationConfig).responseModalities].some(
    (kinds) => Array.isArray(kinds) && kinds.some((kind) => String(kind).toLowerCase() !== 'text'),
  )

/** Tokens of the largest picture of a model, with the drafts of its stream. */
const tokensPerPicture = 50_000
/** Tokens of sound per byte of slowly spoken text. */
const tokensPerByte = 50
const usualExtra = 10_000
/** Completion tokens that are accepted of any call without text. */
export const leastMediaOutput = Math.min(usualExtra, tokensPerPicture)

/** The longest completion of calls that make no text; undefined for those that do. */
const mediaOutput = (call: Limited): number | undefined => {
  const bytes = call.raw?.length ?? 0
  if (call.endpoint === 'images') return answersOf(call) * tokensPerPicture
  if (call.endpoint === 'speech') return usualExtra + bytes * tokensPerByte
  // Vectors, scores and verdicts have no completion; some providers count what they read there.
  return call.endpoint === 'embeddings' || call.endpoint === 'rerank' || call.endpoint === 'moderations'
    ? usualExtra + bytes
    : undefined
}

/**
 * True where the prompt is limited elsewhere: sessions continue earlier content; uploaded sound is measured, and uploaded pictures cost
 * more tokens than they have bytes.
 */
const isMeasuredElsewhere = ({ endpoint, form }: Limited): boolean =>
  form !== undefined ||
  endpoint === 'realtime' ||
  endpoint === 'live' ||
  endpoint === 'transcripts' ||
  endpoint === 'cached_content'

/** Products with their own prompts. */
const ownPrompts = /gizmo|-all$|^bot/i

/** Limit of the prompt by the sent bytes; none where more than that is read. A rerank reads its query with each document. */
const promptBound = (call: Limited, model: string, { sent, provider }: Made): Pick<UsageLimits, 'fits'> =>
  call.raw === undefined || provider?.addsContext || isMeasuredElsewhere(call) || ownPrompts.test(model)
    ? {}
    : { fits: fitsIn([call.raw, sent], call.endpoint === 'rerank' ? 1 + listOf(call.body.documents).length : 1) }

/**
 * Limits up to which reported usage is accepted without counting: context and longest output of the model, for all answers, and for as
 * many rounds as provider tools may take. Larger reports are compared with a count. The client's maximum limits the text of its answers
 * (`allows`), and the sent bytes the prompt (`fits`).
 */
export const usageLimits = (call: Limited, model: string, made: Made = {}): UsageLimits => {
  const { dialect, body } = call
  const size = sizeOfModel(model)
  const { context, output } = isOneContext(call) ? size : unknownSize
  const rounds =
    size.researches || compacts(body) || (dialect?.requestRules.usesProviderTools ?? usesProviderTools)(body)
      ? mostRounds
      : 1
  const wanted = dialect === undefined ? maxTokensOf(body) : dialect.requestRules.maxTokens(body)
  const each = wanted > 0 ? Math.min(output, wanted + reasoningAllowance) : output
  const times = answersOf(call) * rounds
  const limits: UsageLimits = {
    prompt: context * rounds,
    completion: mediaOutput(call) ?? each * times,
    // Provider tools add their results.
    ...(rounds === 1 && promptBound(call, model, made)),
  }
  if (wanted <= 0 || !isBounded(call, model)) return limits
  const isBeside = made.provider?.reasoningBeside === true
  const beside = reasoningBeside(body, { model, isBeside, longest: reasoningAllowance })
  const mayHoldMedia = asksForMedia(call, model)
  return { ...limits, allows: allowedBy({ wanted, beside, times, mayHoldMedia, sent: made.sent }) }
}

const tokensPerPiece = 500
const piecesPerUnit = 100

/** Search units that a rerank has by its documents, of which a long one counts as several (docs.cohere.com/docs/rerank). */
export const searchUnitsOf = ({ body, raw }: Pick<RelayCall, 'body' | 'raw'>): { expected: number; most: number } => {
  const pieces = listOf(body.documents).length + Math.ceil(estimatePrompt(raw.length) / tokensPerPiece)
  return { expected: Math.max(1, Math.ceil(pieces / piecesPerUnit)), most: pieces + piecesPerUnit }
}
