import { completionTokens, promptTokens, type Usage } from '../../billing/usage.ts'
import { usageFromOpenai } from '../../billing/usage-openai.ts'
import { AppError } from '../../lib/app-error.ts'
import {
  defined,
  isObject,
  type JsonObject,
  listOf,
  numberIn,
  objectsOf,
  textIn,
  without,
} from '../conversation/json.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'
import type { UpstreamError } from '../dialect.ts'

/** A request to OpenAI's embeddings API (platform.openai.com/docs/api-reference/embeddings). */
export interface EmbeddingsRequest {
  readonly model: string
  readonly texts: readonly string[]
  /** Length of the vectors; the model's default when absent. */
  readonly dimensions?: number
  /** True if the client wants vectors as base64 of little-endian 32-bit floats; false for lists of numbers. */
  readonly base64: boolean
  readonly user?: string
  /** Fields that OpenAI does not have, e.g. `input_type`. */
  readonly own: JsonObject
}

export interface EmbeddingsAnswer {
  /** One vector per text, in the same order. */
  readonly vectors: readonly (readonly number[])[]
  /** undefined when the provider reports none. */
  readonly usage: Usage | undefined
}

/** Reads an answer header by its lower-case name; empty if it is missing. */
export type HeaderOf = (name: string) => string

/** Embeddings in a provider's own format. */
export interface EmbeddingsDialect {
  /** Throws AppError('invalid_embedding_request') if the model cannot serve the request. */
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

/** Throws AppError('invalid_embedding_request') for token arrays, which only OpenAI's own models accept. */
export const readEmbeddings = (body: JsonObject, model: string): EmbeddingsRequest => ({
  model,
  texts: textsOf(body.input),
  base64: body.encoding_format === 'base64',
  ...defined({ dimensions: numberIn(body.dimensions), user: textIn(body.user) }),
  own: without(body, translatedFields),
})

const base64Of = (vector: readonly number[]): string => Buffer.from(Float32Array.from(vector).buffer).toString('base64')

/** Writes the answer in OpenAI's shape, without `usage` if it is unknown. */
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

/** Reads a vector from a JSON list of numbers. */
export const vectorOf = (value: unknown): number[] => listOf(value).map(Number)

/** OpenAI's embeddings format, for providers that share only this call with OpenAI. */
export const openaiEmbeddings: EmbeddingsDialect = {
  write: ({ model, texts, dimensions, user, own }) => ({
    ...own,
    model,
    input: texts,
    ...defined({ dimensions, user }),
  }),
  read: (json) => ({
    vectors: objectsOf(json.data).map(({ embedding }) => vectorOf(embedding)),
    usage: usageFromOpenai(json.usage),
  }),
}
