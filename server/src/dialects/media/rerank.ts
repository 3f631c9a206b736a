import { completionTokens, promptTokens, type Usage } from '../../billing/usage.ts'
import { AppError } from '../../lib/app-error.ts'
import {
  defined,
  flagIn,
  isObject,
  type JsonObject,
  listOf,
  numberIn,
  textIn,
  textOf,
  without,
} from '../conversation/json.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'
import type { UpstreamError } from '../dialect.ts'
import type { HeaderOf } from './embeddings.ts'

/** A rerank request in Jina's format (api.jina.ai/redoc#tag/rerank). */
export interface RerankRequest {
  readonly model: string
  readonly query: string
  readonly documents: readonly string[]
  /** The most results to return; all when absent. */
  readonly topN?: number
  readonly returnDocuments: boolean
  /** Fields that only some providers have, e.g. `max_chunk_per_doc`. */
  readonly own: JsonObject
}

export interface RerankResult {
  /** Index of the document in the request. */
  readonly index: number
  readonly score: number
}

export interface RerankAnswer {
  /** Sorted by score, best first. */
  readonly results: readonly RerankResult[]
  /** Tokens; undefined when the provider reports none. */
  readonly usage: Usage | undefined
  /** Billed units instead of tokens: one per query with up to 100 documents (docs.cohere.com/docs/rerank). */
  readonly searchUnits?: number
}

/** Reranking in a provider's own format. */
export interface RerankDialect {
  write(request: RerankRequest, unsupported: UnsupportedFields): JsonObject
  read(json: JsonObject, request: RerankRequest, headerOf: HeaderOf): RerankAnswer
  /** As `UpstreamDialect.errorOf`. */
  errorOf?(json: JsonObject): UpstreamError | undefined
}

const documentText = (document: unknown): string => {
  const text = isObject(document) ? (textIn(document.text) ?? JSON.stringify(document)) : textIn(document)
  if (text === undefined) throw new AppError('invalid_text_request', { params: { detail: 'documents are not texts' } })
  return text
}

const translatedFields: ReadonlySet<string> = new Set(['model', 'query', 'documents', 'top_n', 'return_documents'])

export const readRerank = (body: JsonObject, model: string): RerankRequest => ({
  model,
  query: textOf(body.query),
  documents: listOf(body.documents).map(documentText),
  returnDocuments: flagIn(body.return_documents) ?? false,
  ...defined({ topN: numberIn(body.top_n) }),
  own: without(body, translatedFields),
})

const usageMember = (usage: Usage): JsonObject => ({
  prompt_tokens: promptTokens(usage),
  completion_tokens: completionTokens(usage),
  total_tokens: promptTokens(usage) + completionTokens(usage),
})

/** Writes the answer in Jina's format, without `usage` if it is unknown. */
export const writeRerank = ({ results, usage, searchUnits }: RerankAnswer, request: RerankRequest): JsonObject => ({
  model: request.model,
  object: 'list',
  results: results.map(({ index, score }) => ({
    index,
    relevance_score: score,
    ...(request.returnDocuments ? { document: { text: request.documents[index] ?? '' } } : {}),
  })),
  ...defined({
    usage: usage && usageMember(usage),
    meta: searchUnits === undefined ? undefined : { billed_units: { search_units: searchUnits } },
  }),
})
