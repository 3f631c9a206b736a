import { ownMember } from '@tollgate/contract/own-member'
import {
  defined,
  isObject,
  type JsonObject,
  listOf,
  membersOf,
  numberIn,
  objectsOf,
  textIn,
} from '../../conversation/json.ts'
import { geminiCost } from '../../cost/gemini.ts'
import type { ClientEmbeddings, ReadEmbeddings } from '../../media/client-embeddings.ts'
import { invalidEmbedding } from '../../media/embeddings.ts'
import { readUsage } from '../answer.ts'
import { field, objectField } from '../names.ts'
import { taskInputs } from './embeddings.ts'

/** Google's calls for embeddings: of one content, or of several at once (ai.google.dev/api/embeddings). */
type EmbedAction = 'embedContent' | 'batchEmbedContents'

/** Newer clients put the settings into `embedContentConfig`. */
const settingsOf = (request: JsonObject): JsonObject => {
  const merged = { ...request, ...objectField(request, 'embedContentConfig') }
  return defined({
    taskType: textIn(field(merged, 'taskType')),
    title: textIn(field(merged, 'title')),
    outputDimensionality: numberIn(field(merged, 'outputDimensionality')),
  })
}

const partsOf = (request: JsonObject): readonly JsonObject[] => {
  const content = field(request, 'content')
  if (!isObject(content)) throw invalidEmbedding('content is empty')
  return objectsOf(content.parts)
}

const textIs = (parts: readonly JsonObject[]): string => parts.map(({ text }) => textIn(text) ?? '').join('\n')

const readEmbedContents = (body: JsonObject, model: string, action: EmbedAction): ReadEmbeddings => {
  const requests = action === 'embedContent' ? [body] : objectsOf(body.requests)
  const [first] = requests
  if (first === undefined) throw invalidEmbedding('requests is empty')
  const contents = requests.map(partsOf)
  const settings = settingsOf(first)
  const differs = (name: string): boolean =>
    requests.some((request) => ownMember(settingsOf(request), name) !== ownMember(settings, name))
  const { taskType, title, outputDimensionality: dimensions } = settings
  const input_type = ownMember(taskInputs, String(taskType))
  const task = input_type === undefined ? { taskType } : { input_type }
  const isText = contents.flat().every(({ text }) => typeof text === 'string')
  const reason = isText
    ? 'the requests ask for vectors of different lengths'
    : 'a content holds something other than texts'
  return {
    body: { model, input: contents.map(textIs), ...defined({ dimensions, title, ...task }) },
    unsupported: ['taskType', 'title'].filter(differs),
    onlyAsIs: isText && !differs('outputDimensionality') ? undefined : reason,
  }
}

const fields: Readonly<Record<string, string>> = { input_type: 'taskType', dimensions: 'outputDimensionality' }

const writeEmbedContents = ({ data, usage }: JsonObject, action: EmbedAction): JsonObject => {
  const vectors = objectsOf(data).map(({ embedding }) => ({ values: listOf(embedding) }))
  const usageMetadata = defined({ promptTokenCount: numberIn(membersOf(usage).prompt_tokens) })
  return { ...(action === 'embedContent' ? { embedding: vectors[0] } : { embeddings: vectors }), usageMetadata }
}

/** The model stands in the address, and in each of several requests. */
const withModel = (raw: Buffer, name: string): Buffer => {
  const model = `models/${name}`
  const { requests, ...rest } = JSON.parse(raw.toString()) as JsonObject
  const body = Array.isArray(requests)
    ? {
        ...rest,
        requests: (requests as unknown[]).map((request) => (isObject(request) ? { ...request, model } : request)),
      }
    : { ...rest, ...(rest.model === undefined ? {} : { model }) }
  return Buffer.from(JSON.stringify(body))
}

const embeddingsOf = (action: EmbedAction): ClientEmbeddings => ({
  dialect: 'gemini',
  read: (body, model) => readEmbedContents(body, model, action),
  fieldOf: (name) => ownMember(fields, name) ?? name,
  write: (answer) => writeEmbedContents(answer, action),
  usage: (answer) => readUsage(answer.usageMetadata),
  costPlace: geminiCost,
  withModel,
})

export const embedContent = embeddingsOf('embedContent')
export const batchEmbedContents = embeddingsOf('batchEmbedContents')
