import { estimatePrompt } from '../../billing/counting/prompt.ts'
import { sizeOfModel, unknownSize } from '../../billing/tables/model-sizes.ts'
import type { UsageLimits } from '../../billing/usage-reports.ts'
import { isObject, listOf } from '../../dialects/conversation/json.ts'
import { maxTokensOf } from '../../dialects/conversation/request-fields.ts'
import { usesProviderTools } from '../../dialects/tools/provider-tools.ts'
import type { RelayCall } from '../call.ts'
import { allowedBy, reasoningBeside } from './asked-maximum.ts'

type Limited = Pick<RelayCall, 'endpoint' | 'dialect' | 'body'>

/** True if the prompt is one context. Other calls add up many inputs, or are sold by a measure of their own. */
const isOneContext = ({ endpoint, dialect }: Limited): boolean =>
  dialect !== undefined || endpoint === 'realtime' || endpoint === 'live' || endpoint === 'cached_content'

/** Reasoning that some providers do not count into the maximum that a client sets: their longest thinking budgets. */
const reasoningAllowance = 131_072

/** How often a provider's own tools may send the whole context to the model before one answer is done. */
const mostRounds = 20

const most = 10_000
const atLeastOne = (value: unknown): number =>
  typeof value === 'number' && value > 1 ? Math.min(Math.floor(value), most) : 1

/** True if the provider may summarise the conversation on its way (Anthropic's compaction), which reads the context again. */
const compacts = ({ context_management: management }: Limited['body']): boolean => isObject(management)

/** How many answers one call may ask for. */
const answersOf = ({ endpoint, dialect, body }: Limited): number => {
  if (endpoint === 'completions') {
    const prompts = Array.isArray(body.prompt) && typeof body.prompt[0] !== 'number' ? body.prompt.length : 1
    return Math.max(atLeastOne(body.n), atLeastOne(body.best_of)) * Math.max(1, prompts)
  }
  return atLeastOne(dialect === undefined ? body.n : dialect.requestRules.answers(body))
}

/** Models that draw state the tokens of their pictures as if these were text. */
const drawsPictures = /image|imagen|banana/i

/** True where a maximum bounds the text of the answer. The settings of a session may change while it runs. */
const isBounded = ({ endpoint, dialect }: Limited, model: string): boolean =>
  (endpoint === 'completions' || (endpoint === 'conversation' && dialect !== undefined)) && !drawsPictures.test(model)

/**
 * What a report on a call is believed up to without counting: the context and the longest output of the model, for as many
 * answers as were asked for, and for as many rounds as the provider's tools may take. Larger reports are compared with a count.
 * A maximum that the client has set bounds the text of its answers (`allows`). `sent` is the body that the provider has got.
 */
export const usageLimits = (call: Limited, model: string, sent?: Buffer): UsageLimits => {
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
  const limits = { prompt: context * rounds, completion: each * times }
  if (wanted <= 0 || !isBounded(call, model)) return limits
  return {
    ...limits,
    allows: allowedBy({ wanted, beside: reasoningBeside(body, model, reasoningAllowance), times, sent }),
  }
}

const tokensPerPiece = 500
const piecesPerUnit = 100

/** Search units that a rerank has by its documents, of which a long one counts as several (docs.cohere.com/docs/rerank). */
export const searchUnitsOf = ({ body, raw }: Pick<RelayCall, 'body' | 'raw'>): { expected: number; most: number } => {
  const pieces = listOf(body.documents).length + Math.ceil(estimatePrompt(raw.length) / tokensPerPiece)
  return { expected: Math.max(1, Math.ceil(pieces / piecesPerUnit)), most: pieces + piecesPerUnit }
}
