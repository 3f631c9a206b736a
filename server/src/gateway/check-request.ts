import { AppError } from '../lib/app-error.ts'
import type { RelayEndpoint } from '../relay/call.ts'

type Body = Readonly<Record<string, unknown>>

const largestMaxTokens = 1_073_741_823

const invalid = (detail: string): AppError => new AppError('invalid_text_request', { params: { detail } })

const isMissing = (value: unknown): boolean => value === undefined || value === null

const checkMaxTokens = (value: unknown): void => {
  if (typeof value === 'number' && value > largestMaxTokens) throw invalid('max_tokens is invalid')
}

const checks: Readonly<Record<RelayEndpoint, (body: Body) => void>> = {
  chat(body) {
    if (isMissing(body.messages)) throw invalid('field messages is required')
    if (!Array.isArray(body.messages)) throw invalid('field messages is not a list')
  },
  messages(body) {
    if (isMissing(body.messages)) throw invalid('field messages is required')
    if (!Array.isArray(body.messages)) throw invalid('field messages is not a list')
  },
  responses(body) {
    if (isMissing(body.input) && isMissing(body.prompt)) throw invalid('field input is required')
  },
  gemini(body) {
    if (isMissing(body.contents)) throw invalid('field contents is required')
    if (!Array.isArray(body.contents)) throw invalid('field contents is not a list')
  },
  completions(body) {
    if (isMissing(body.prompt)) throw invalid('field prompt is required')
  },
  moderations(body) {
    if (isMissing(body.input)) throw invalid('field input is required')
  },
  rerank(body) {
    if (isMissing(body.query)) throw new AppError('invalid_query')
    if (isMissing(body.documents)) throw new AppError('invalid_documents')
    if (typeof body.query !== 'string') throw invalid('field query is not a string')
    if (!Array.isArray(body.documents)) throw invalid('field documents is not a list')
  },
  embeddings(body) {
    if (isMissing(body.input)) {
      throw new AppError('invalid_embedding_request', { params: { detail: 'input is empty' } })
    }
  },
}

const modelOf = (endpoint: RelayEndpoint, body: Body, pathModel: string): string => {
  const asked = body.model ?? ''
  if (typeof asked !== 'string') throw invalid('field model is not a string')
  return asked || pathModel || (endpoint === 'moderations' ? 'text-moderation-stable' : '')
}

const streaming: ReadonlySet<RelayEndpoint> = new Set(['chat', 'completions', 'messages', 'responses'])

export interface Checked {
  readonly model: string
  readonly stream: boolean
}

/**
 * Checks what we use (relay reference §4.1, §7). The rest, empty texts and lists included, is the upstream's business.
 * Throws AppError.
 */
export const checkRequest = (endpoint: RelayEndpoint, body: Body, pathModel: string): Checked => {
  const model = modelOf(endpoint, body, pathModel)
  if (model === '') throw invalid('model is required')
  checks[endpoint](body)
  checkMaxTokens(body.max_tokens)
  checkMaxTokens(body.max_completion_tokens)
  const streams = streaming.has(endpoint)
  return { model, stream: streams && body.stream === true }
}
