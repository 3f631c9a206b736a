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
import { invalidEmbedding } from '../../media/embeddings.ts'
import type { EmbedAction } from '../../paths.ts'
import { field, objectField } from '../names.ts'
import { taskInputs } from './embeddings.ts'

/** An embeddings request of Google's dialect. */
export interface EmbedContents {
  readonly action: EmbedAction
  /** The same request in OpenAI's dialect. */
  readonly body: JsonObject
  /** Fields that OpenAI's dialect cannot express. */
  readonly unsupported: readonly string[]
  /** Why only Google can answer it; undefined if any provider can. */
  readonly onlyGoogle: string | undefined
}

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

/** Throws AppError('invalid_embedding_request') if there is nothing to embed. */
export const readEmbedContents = (body: JsonObject, model: string, action: EmbedAction): EmbedContents => {
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
    action,
    body: { model, input: contents.map(textIs), ...defined({ dimensions, title, ...task }) },
    unsupported: ['taskType', 'title'].filter(differs),
    onlyGoogle: isText && !differs('outputDimensionality') ? undefined : reason,
  }
}

const fields: Readonly<Record<string, string>> = { input_type: 'taskType', dimensions: 'outputDimensionality' }

/** Google's name of a field of the OpenAI body. */
export const fieldOfGemini = (name: string): string => ownMember(fields, name) ?? name

/** Writes an OpenAI embeddings answer in Google's shape. */
export const writeEmbedContents = ({ data, usage }: JsonObject, action: EmbedAction): JsonObject => {
  const vectors = objectsOf(data).map(({ embedding }) => ({ values: listOf(embedding) }))
  const usageMetadata = defined({ promptTokenCount: numberIn(membersOf(usage).prompt_tokens) })
  return { ...(action === 'embedContent' ? { embedding: vectors[0] } : { embeddings: vectors }), usageMetadata }
}
