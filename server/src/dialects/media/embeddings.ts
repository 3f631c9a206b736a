import { completionTokens, promptTokens, type Usage } from '../../billing/usage.ts'
import { AppError } from '../../lib/app-error.ts'
import { defined, isObject, type JsonObject, listOf, numberIn, textIn, without } from '../conversation/json.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'
import type { UpstreamError } from '../dialect.ts'

/** What a client of OpenAI's embeddings asks for (platform.openai.com/docs/api-reference/embeddings). */
export interface EmbeddingsRequest {
  readonly model: string
  readonly texts: readonly string[]
  /** Length of the vectors; the model's own when absent. */
  readonly dimensions?: number
  /** Vectors as base64 of little-endian 32-bit floats, not as lists of numbers. */
  readonly base64: boolean
  readonly user?: string
  /** JsonObject that OpenAI does not know, e.g. `input_type`, by their names. */
  readonly own: JsonObject
}

export interface EmbeddingsAnswer {
  /** In the order of the texts. */
  readonly vectors: readonly (readonly number[])[]
  /** undefined when the provider reports none. */
  readonly usage: Usage | undefined
}

/** Headers of an answer, by lower-case name; empty when there is none. */
export type HeaderOf = (name: string) => string

/** Embeddings in a provider's own words. */
export interface EmbeddingsDialect {
  /** Throws AppError('invalid_embedding_request') for what the model cannot do. */
  write(request: EmbeddingsRequest, unsupported: UnsupportedFields): JsonObject
  read(json: JsonObject, request: EmbeddingsRequest, headerOf: HeaderOf): EmbeddingsAnswer
  /** As `UpstreamDialect.errorOf`. */
  errorOf?(json: JsonObject): UpstreamError | undefined
}

export const invalidEmbedding = (detail: string): AppError =>
  new AppError('invalid_embedding_request', { params: { detail } })

const itemText = (item: unknown): string => {
  const text = isObject(item) ? textIn(item.text) : textIn(item)
  if (text === undefined) throw invalidEmbedding('input holds something other than texts')
  return text
}

const textsOf = (input: unknown): string[] => (Array.isArray(input) ? listOf(input).map(itemText) : [itemText(input)])

const translatedFields: ReadonlySet<string> = new Set(['model', 'input', 'dimensions', 'encoding_format', 'user'])

/** Ready tokens are refused: only OpenAI's own models understand them. */
export const readEmbeddings = (body: JsonObject, model: string): EmbeddingsRequest => ({
  model,
  texts: textsOf(body.input),
  base64: body.encoding_format === 'base64',
  ...defined({ dimensions: numberIn(body.dimensions), user: textIn(body.user) }),
  own: without(body, translatedFields),
})

const base64Of = (vector: readonly number[]): string => Buffer.from(Float32Array.from(vector).buffer).toString('base64')

/** The answer in OpenAI's words; without `usage` when it is not known. */
export const writeEmbeddings = (
  { vectors, usage }: EmbeddingsAnswer,
  { model, base64 }: EmbeddingsRequest,
): JsonObject => ({
  object: 'list',
  data: vectors.map((vector, index) => ({
    object: 'embedding',
    index,
    embedding: base64 ? base64Of(vector) : vector,
  })),
  model,
  ...(usage === undefined
    ? {}
    : { usage: { prompt_tokens: promptTokens(usage), total_tokens: promptTokens(usage) + completionTokens(usage) } }),
})

/** A list of numbers, as providers write a vector. */
export const vectorOf = (value: unknown): number[] => listOf(value).map(Number)
