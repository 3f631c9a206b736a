import { numbersIn, usageStated } from '../../billing/declared/usage-stated.ts'
import { readCohereEmbeddings, writeCohereEmbeddings } from '../cohere/embeddings.ts'
import { countOf, defined, flagIn, type JsonObject, objectsOf, textIn } from '../conversation/json.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'
import {
  type EmbeddingsAnswer,
  type EmbeddingsDialect,
  type EmbeddingsRequest,
  type HeaderOf,
  invalidEmbedding,
  vectorOf,
} from '../media/embeddings.ts'

/** Embeddings at Bedrock. Each vendor has its own format (docs.aws.amazon.com/bedrock/latest/userguide/model-parameters.html). */

const singleText = ({ texts, model }: EmbeddingsRequest): string => {
  const [text, ...more] = texts
  if (text === undefined || more.length > 0) throw invalidEmbedding(`${model} takes one text per call`)
  return text
}

const dropOthers = (
  { own, user }: EmbeddingsRequest,
  supported: ReadonlySet<string>,
  unsupported: UnsupportedFields,
): void => {
  if (user !== undefined) unsupported.add('user')
  for (const name of Object.keys(own)) if (!supported.has(name)) unsupported.add(name)
}

const titan = (request: EmbeddingsRequest, unsupported: UnsupportedFields): JsonObject => {
  dropOthers(request, new Set(['normalize']), unsupported)
  const { dimensions, own } = request
  return { inputText: singleText(request), ...defined({ dimensions, normalize: flagIn(own.normalize) }) }
}

const nova = (request: EmbeddingsRequest, unsupported: UnsupportedFields): JsonObject => {
  dropOthers(request, new Set(['embeddingPurpose']), unsupported)
  const { dimensions, own } = request
  return {
    taskType: 'SINGLE_EMBEDDING',
    singleEmbeddingParams: {
      embeddingPurpose: textIn(own.embeddingPurpose) ?? 'GENERIC_INDEX',
      text: { value: singleText(request), truncationMode: 'END' },
      ...defined({ embeddingDimension: dimensions }),
    },
  }
}

const usageOf = (json: JsonObject, headerOf: HeaderOf): EmbeddingsAnswer['usage'] => {
  const input = countOf(json.inputTextTokenCount) || countOf(Number(headerOf('x-amzn-bedrock-input-token-count')))
  return usageStated('titan', { ...numbersIn(json), usage: json.usage }, { input })
}

const isCohere = (model: string): boolean => model.includes('cohere.embed')
const isNova = (model: string): boolean => model.includes('nova-')

/** Chooses the format by the model's name. Inference profiles without a vendor in their name use Titan's. */
export const bedrockEmbeddings: EmbeddingsDialect = {
  write(request, unsupported) {
    if (isCohere(request.model)) return writeCohereEmbeddings(request, unsupported)
    return isNova(request.model) ? nova(request, unsupported) : titan(request, unsupported)
  },
  read(json, { model }, headerOf) {
    if (isCohere(model)) return readCohereEmbeddings(json, headerOf)
    const usage = usageOf(json, headerOf)
    if (isNova(model)) return { vectors: objectsOf(json.embeddings).map(({ embedding }) => vectorOf(embedding)), usage }
    return { vectors: [vectorOf(json.embedding)], usage }
  },
}
