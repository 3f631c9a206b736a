import { usageStated } from '../../billing/declared/usage-stated.ts'
import { withMore } from '../../billing/usage.ts'
import { countOf, defined, isObject, type JsonObject, listOf, membersOf, textOf } from '../conversation/json.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'
import { type EmbeddingsDialect, type EmbeddingsRequest, type HeaderOf, vectorOf } from '../media/embeddings.ts'
import { errorOf } from './answer.ts'

const ownNames: ReadonlySet<string> = new Set(['input_type', 'truncate', 'max_tokens', 'priority'])

/** False for models before embed-v4, whose vectors have a fixed length. */
const takesDimensions = (model: string): boolean => !/embed-(english|multilingual)-/.test(model)

const dimensionOf = ({ model, dimensions }: EmbeddingsRequest, unsupported: UnsupportedFields): number | undefined => {
  if (dimensions === undefined || takesDimensions(model)) return dimensions
  unsupported.add('dimensions')
  return undefined
}

/** The body for Cohere's models at Cohere and other hosts. */
export const writeCohereEmbeddings = (request: EmbeddingsRequest, unsupported: UnsupportedFields): JsonObject => {
  const { texts, own, user } = request
  if (user !== undefined) unsupported.add('user')
  for (const name of Object.keys(own)) if (!ownNames.has(name)) unsupported.add(name)
  const supported = Object.fromEntries(Object.entries(own).filter(([name]) => ownNames.has(name)))
  return {
    // Most clients index documents; those that embed queries set the field.
    input_type: 'search_document',
    ...supported,
    texts,
    embedding_types: ['float'],
    ...defined({ output_dimension: dimensionOf(request, unsupported) }),
  }
}

export const readCohereEmbeddings = (json: JsonObject, headerOf: HeaderOf) => {
  const lists = isObject(json.embeddings) ? json.embeddings.float : json.embeddings
  const billed = membersOf(membersOf(json.meta).billed_units)
  const pictures = countOf(billed.image_tokens)
  const input = countOf(billed.input_tokens) || countOf(Number(headerOf('x-amzn-bedrock-input-token-count')))
  return {
    vectors: listOf(lists).map(vectorOf),
    usage: usageStated('cohere', json.meta, { input, ...withMore({ image_input: pictures }) }),
  }
}

/** Embeddings of Cohere's API version 2 (docs.cohere.com/reference/embed). */
export const cohereEmbeddings: EmbeddingsDialect = {
  write: (request, unsupported) => ({ model: request.model, ...writeCohereEmbeddings(request, unsupported) }),
  read: (json, _, headerOf) => readCohereEmbeddings(json, headerOf),
  errorOf: (json) => (textOf(json.message) === '' ? undefined : errorOf(json)),
}
