import { ownMember } from '@tollgate/contract/own-member'
import { AppError } from '../../lib/app-error.ts'
import {
  defined,
  isObject,
  type JsonObject,
  listOf,
  membersOf,
  numberIn,
  objectsOf,
  parsedJson,
  textIn,
  textOf,
  without,
} from '../conversation/json.ts'
import type { RequestTarget } from '../dialect.ts'

/** Requests of Converse as Messages requests of Anthropic's, which have a place for nearly everything. */

const invalid = (detail: string): AppError => new AppError('invalid_text_request', { params: { detail } })

const mediaTypes: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  png: 'image/png',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
}

const sourceOf = (value: JsonObject, kind: string): JsonObject => {
  const { bytes } = membersOf(value.source)
  const media_type = ownMember(mediaTypes, textOf(value.format))
  if (typeof bytes !== 'string' || media_type === undefined)
    throw invalid(`${kind} blocks need bytes in a format that other models read`)
  return media_type === 'text/plain'
    ? { type: 'text', media_type, data: Buffer.from(bytes, 'base64').toString() }
    : { type: 'base64', media_type, data: bytes }
}

const imageOf = (image: JsonObject): JsonObject => ({ type: 'image', source: sourceOf(image, 'image') })

const documentOf = (document: JsonObject): JsonObject => ({
  type: 'document',
  source: sourceOf(document, 'document'),
  ...defined({ title: textIn(document.name), context: textIn(document.context) }),
  ...(membersOf(document.citations).enabled === true ? { citations: { enabled: true } } : {}),
})

const thoughtOf = (thought: JsonObject): JsonObject => {
  const { redactedContent } = thought
  if (typeof redactedContent === 'string')
    return { type: 'redacted_thinking', data: Buffer.from(redactedContent, 'base64').toString() }
  const { text, signature } = membersOf(thought.reasoningText)
  return { type: 'thinking', thinking: textOf(text), signature: textOf(signature) }
}

const resultOf = (result: JsonObject): JsonObject => ({
  type: 'tool_result',
  tool_use_id: textOf(result.toolUseId),
  content: blocksOf(result.content),
  ...(result.status === 'error' ? { is_error: true } : {}),
})

const blockOf = (block: JsonObject): JsonObject => {
  if (typeof block.text === 'string') return { type: 'text', text: block.text }
  if (block.json !== undefined) return { type: 'text', text: JSON.stringify(block.json) }
  if (isObject(block.image)) return imageOf(block.image)
  if (isObject(block.document)) return documentOf(block.document)
  if (isObject(block.reasoningContent)) return thoughtOf(block.reasoningContent)
  if (isObject(block.toolResult)) return resultOf(block.toolResult)
  if (isObject(block.toolUse)) {
    const { toolUseId, name, input } = block.toolUse
    return { type: 'tool_use', id: textOf(toolUseId), name: textOf(name), input: membersOf(input) }
  }
  throw invalid(`content blocks of the kind ${Object.keys(block).join(', ') || 'none'} are not supported`)
}

const markOf = (point: JsonObject): JsonObject => ({
  cache_control: { type: 'ephemeral', ...(point.ttl === '1h' ? { ttl: '1h' } : {}) },
})

/** A cache point ends the prefix that the block before it belongs to. */
const marked = (blocks: readonly unknown[], write: (block: JsonObject) => JsonObject): JsonObject[] => {
  const written: JsonObject[] = []
  for (const block of objectsOf(blocks)) {
    const last = written.pop()
    if (!isObject(block.cachePoint)) written.push(...(last === undefined ? [] : [last]), write(block))
    else if (last !== undefined) written.push({ ...last, ...markOf(block.cachePoint) })
  }
  return written
}

const blocksOf = (content: unknown): JsonObject[] => marked(listOf(content), blockOf)

const toolOf = (tool: JsonObject): JsonObject => {
  const { name, description, inputSchema, strict } = membersOf(tool.toolSpec)
  if (typeof name !== 'string') throw invalid('tools need a toolSpec with a name')
  const input_schema = membersOf(membersOf(inputSchema).json)
  return { name, input_schema, ...defined({ description: textIn(description), strict: strict === true || undefined }) }
}

const choiceOf = (choice: JsonObject): JsonObject | undefined => {
  if (isObject(choice.any)) return { type: 'any' }
  if (isObject(choice.tool)) return { type: 'tool', name: textOf(choice.tool.name) }
  return isObject(choice.auto) ? { type: 'auto' } : undefined
}

const formatOf = (config: JsonObject): JsonObject | undefined => {
  const { type, structure } = membersOf(config.textFormat)
  if (type !== 'json_schema') return undefined
  const schema = parsedJson(textOf(membersOf(membersOf(structure).jsonSchema).schema))
  if (!isObject(schema)) throw invalid('the schema of outputConfig is no JSON object')
  return { format: { type: 'json_schema', schema } }
}

/** Anthropic requires a bound; Converse has one by default. */
const usualMaxTokens = 4096

const translated: ReadonlySet<string> = new Set([
  'messages',
  'system',
  'inferenceConfig',
  'toolConfig',
  'outputConfig',
  'additionalModelRequestFields',
  'additionalModelResponseFieldPaths',
  'performanceConfig',
  'requestMetadata',
  'serviceTier',
  'modelId',
])

/** Throws AppError('invalid_text_request') for blocks that Messages lack. */
export const readConverseRequest = (body: JsonObject, { model, stream }: RequestTarget): JsonObject => {
  if (!Array.isArray(body.messages)) throw invalid('field messages is required')
  const { maxTokens, temperature, topP, stopSequences } = membersOf(body.inferenceConfig)
  const { tools, toolChoice } = membersOf(body.toolConfig)
  const { anthropic_beta: _, ...fields } = membersOf(body.additionalModelRequestFields)
  const system = marked(listOf(body.system), blockOf)
  return {
    // Members that Messages lack, such as guardrails, reach the channels that support them; others refuse them.
    ...without(body, translated),
    ...fields,
    model,
    ...(stream ? { stream } : {}),
    max_tokens: numberIn(maxTokens) ?? usualMaxTokens,
    messages: objectsOf(body.messages).map(({ role, content }) => ({ role, content: blocksOf(content) })),
    ...(system.length === 0 ? {} : { system }),
    ...(Array.isArray(tools) ? { tools: marked(tools, toolOf) } : {}),
    ...defined({
      temperature: numberIn(temperature),
      top_p: numberIn(topP),
      stop_sequences: Array.isArray(stopSequences) ? stopSequences : undefined,
      tool_choice: choiceOf(membersOf(toolChoice)),
      output_config: formatOf(membersOf(body.outputConfig)),
    }),
  }
}
