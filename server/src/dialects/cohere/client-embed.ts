import { randomUUID } from 'node:crypto'
import { AppError } from '../../lib/app-error.ts'
import {
  countOf,
  defined,
  type JsonObject,
  listOf,
  membersOf,
  objectsOf,
  textIn,
  textOf,
} from '../conversation/json.ts'
import { costIn } from '../cost/cost-place.ts'

const invalid = (detail: string): AppError => new AppError('invalid_text_request', { params: { detail } })

const textOfInput = (input: JsonObject): string => {
  const parts = objectsOf(input.content)
  const other = parts.find(({ type }) => type !== 'text')
  if (other !== undefined) throw invalid(`inputs of the type ${textOf(other.type) || 'none'} are not supported`)
  return parts.map(({ text }) => textOf(text)).join('\n')
}

/**
 * Embeddings as Cohere's clients ask for them (docs.cohere.com/reference/embed), as OpenAI's. Vectors are floats; `input_type`, which tells
 * queries from documents, goes on to Cohere's models.
 */
export const readEmbed = (body: JsonObject): JsonObject => {
  const other = listOf(body.embedding_types).find((type) => type !== 'float')
  if (other !== undefined) throw invalid(`embeddings of the type ${String(other)} are not supported`)
  const texts = Array.isArray(body.texts) ? listOf(body.texts) : objectsOf(body.inputs).map(textOfInput)
  if (texts.length === 0) throw invalid('texts are required')
  const { input_type: kind, model } = body
  const isCohere = /cohere|embed-(v\d|english|multilingual)/i.test(textIn(model) ?? '')
  return defined({ model, input: texts, dimensions: body.output_dimension, input_type: isCohere ? kind : undefined })
}

const vectorsOf = (data: unknown): readonly unknown[] => objectsOf(data).map(({ embedding }) => embedding)

const answer = ({ usage }: JsonObject, version: '1' | '2', embeddings: unknown, type: string): JsonObject => ({
  id: randomUUID(),
  embeddings,
  texts: [],
  meta: {
    api_version: { version },
    billed_units: { input_tokens: countOf(membersOf(usage).prompt_tokens) },
  },
  response_type: type,
  ...costIn('cost', usage),
})

export const writeEmbedV2 = (json: JsonObject): JsonObject =>
  answer(json, '2', { float: vectorsOf(json.data) }, 'embeddings_by_type')

export const writeEmbedV1 = (json: JsonObject): JsonObject =>
  answer(json, '1', vectorsOf(json.data), 'embeddings_floats')
