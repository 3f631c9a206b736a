import { ownMember } from '@tollgate/contract/own-member'
import { usageStated } from '../../../billing/declared/usage-stated.ts'
import { countOf, defined, type JsonObject, membersOf, objectsOf, textIn } from '../../conversation/json.ts'
import type { UnsupportedFields } from '../../conversation/unsupported-fields.ts'
import { type EmbeddingsDialect, type EmbeddingsRequest, invalidEmbedding, vectorOf } from '../../media/embeddings.ts'
import { readUsage } from '../answer.ts'
import { field } from '../names.ts'

/** The task type, from Google's field `taskType` or Cohere's `input_type`. */
const taskOf = ({ own }: EmbeddingsRequest): string | undefined => textIn(field(own, 'taskType')) ?? taskOfInput(own)

const tasks: Readonly<Record<string, string>> = {
  search_document: 'RETRIEVAL_DOCUMENT',
  search_query: 'RETRIEVAL_QUERY',
  classification: 'CLASSIFICATION',
  clustering: 'CLUSTERING',
}

/** Google's task type → Cohere's input type. */
export const taskInputs: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(tasks).map(([input, task]) => [task, input]),
)

const taskOfInput = ({ input_type: type }: JsonObject): string | undefined => ownMember(tasks, textIn(type) ?? '')

const ownNames: ReadonlySet<string> = new Set(['taskType', 'task_type', 'input_type', 'title'])

const dropRest = ({ own, user }: EmbeddingsRequest, unsupported: UnsupportedFields): void => {
  if (user !== undefined) unsupported.add('user')
  for (const name of Object.keys(own)) if (!ownNames.has(name)) unsupported.add(name)
}

const contentOf = (text: string): JsonObject => ({ parts: [{ text }] })

const settingsOf = (request: EmbeddingsRequest): JsonObject =>
  defined({
    taskType: taskOf(request),
    title: textIn(request.own.title),
    outputDimensionality: request.dimensions,
  })

/** All texts in one call of Google's AI Studio (ai.google.dev/api/embeddings). */
export const geminiEmbeddings: EmbeddingsDialect = {
  write(request, unsupported) {
    dropRest(request, unsupported)
    const model = `models/${request.model}`
    return { requests: request.texts.map((text) => ({ model, content: contentOf(text), ...settingsOf(request) })) }
  },
  read: (json) => ({
    vectors: objectsOf(json.embeddings).map(({ values }) => vectorOf(values)),
    usage: readUsage(json.usageMetadata),
  }),
}

/** True if Vertex serves the model by `embedContent`; older models use `predict`. */
export const embedsContent = (model: string): boolean => /^gemini-embedding-[1-9]/.test(model)

const predictRequest = (request: EmbeddingsRequest): JsonObject => {
  const { taskType, title, outputDimensionality } = settingsOf(request)
  const more = defined({ task_type: taskType, title })
  return {
    instances: request.texts.map((content) => ({ content, ...more })),
    ...(outputDimensionality === undefined ? {} : { parameters: { outputDimensionality } }),
  }
}

const embedRequest = (request: EmbeddingsRequest): JsonObject => {
  const [text, ...more] = request.texts
  if (text === undefined || more.length > 0) throw invalidEmbedding(`${request.model} takes one text per call`)
  return { content: contentOf(text), ...settingsOf(request) }
}

/** Vertex (cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api). */
export const vertexEmbeddings: EmbeddingsDialect = {
  write(request, unsupported) {
    dropRest(request, unsupported)
    return embedsContent(request.model) ? embedRequest(request) : predictRequest(request)
  },
  read(json, { model }) {
    if (embedsContent(model)) {
      return { vectors: [vectorOf(membersOf(json.embedding).values)], usage: readUsage(json.usageMetadata) }
    }
    const embedded = objectsOf(json.predictions).map(({ embeddings }) => membersOf(embeddings))
    const statistics = embedded.map((each) => membersOf(each.statistics))
    const input = statistics.reduce((sum, { token_count: tokens }) => sum + countOf(tokens), 0)
    const { metadata, usageMetadata } = json
    return {
      vectors: embedded.map(({ values }) => vectorOf(values)),
      usage: usageStated('predict', { statistics, metadata, usageMetadata }, { input }),
    }
  },
}
