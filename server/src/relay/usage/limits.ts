import { estimatePrompt } from '../../billing/counting/prompt.ts'
import { sizeOfModel, unknownSize } from '../../billing/tables/model-sizes.ts'
import type { UsageLimits } from '../../billing/usage-reports.ts'
import { isObject, listOf } from '../../dialects/conversation/json.ts'
import { maxTokensOf } from '../../dialects/conversation/request-fields.ts'
import { usesProviderTools } from '../../dialects/tools/provider-tools.ts'
import type { RelayCall } from '../call.ts'

type Limited = Pick<RelayCall, 'endpoint' | 'dialect' | 'body'>

/** True if the prompt is one context. Other calls add up many inputs, or are sold by a measure of their own. */
const isOneContext = ({ endpoint, dialect }: Limited): boolean =>
  dialect !== undefined || endpoint === 'realtime' || endpoint === 'live' || endpoint === 'cached_content'

/** Reasoning that some providers do not count into the maximum that a client sets: their longest thinking budgets. */
const reasoningAllowance = 131_072

/** How often a provider's own tools may send the whole context to the model before one answer is done. */
const mostRounds = 20

const most = 10_000
const times = (value: unknown): number =>
  typeof value === 'number' && value > 1 ? Math.min(Math.floor(value), most) : 1

/** True if the provider may summarise the conversation on its way (Anthropic's compaction), which reads the context again. */
const compacts = ({ context_management: management }: Limited['body']): boolean => isObject(management)

/** How many answers one call may ask for. */
const answersOf = ({ endpoint, dialect, body }: Limited): number => {
  if (endpoint === 'completions') {
    const prompts = Array.isArray(body.prompt) && typeof body.prompt[0] !== 'number' ? body.prompt.length : 1
    return Math.max(times(body.n), times(body.best_of)) * Math.max(1, prompts)
  }
  return times(dialect === undefined ? body.n : dialect.requestRules.answers(body))
}

/**
 * What a report on a call is believed up to without counting: the context and the longest output of the model, for as many
 * answers as were asked for, and for as many rounds as the provider's tools may take. Larger reports are compared with a count.
 */
export const usageLimits = (call: Limited, model: string): UsageLimits => {
  const { dialect, body } = call
  const size = sizeOfModel(model)
  const { context, output } = isOneContext(call) ? size : unknownSize
  const rounds =
    size.researches || compacts(body) || (dialect?.requestRules.usesProviderTools ?? usesProviderTools)(body)
      ? mostRounds
      : 1
  const wanted = dialect === undefined ? maxTokensOf(body) : dialect.requestRules.maxTokens(body)
  const each = wanted > 0 ? Math.min(output, wanted + reasoningAllowance) : output
  return { prompt: context * rounds, completion: each * answersOf(call) * rounds }
}

const tokensPerPiece = 500
const piecesPerUnit = 100

/** Search units that a rerank has by its documents, of which a long one counts as several (docs.cohere.com/docs/rerank). */
export const searchUnitsOf = ({ body, raw }: Pick<RelayCall, 'body' | 'raw'>): { expected: number; most: number } => {
  const pieces = listOf(body.documents).length + Math.ceil(estimatePrompt(raw.length) / tokensPerPiece)
  return { expected: Math.max(1, Math.ceil(pieces / piecesPerUnit)), most: pieces + piecesPerUnit }
}
