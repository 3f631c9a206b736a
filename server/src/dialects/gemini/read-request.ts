import { ownMember } from '@tollgate/contract/own-member'
import { AppError } from '../../lib/app-error.ts'
import type {
  AnswerFormat,
  Conversation,
  Message,
  Part,
  Reasoning,
  Tool,
  ToolChoice,
} from '../conversation/conversation.ts'
import { effortIn } from '../conversation/effort.ts'
import {
  defined,
  isObject,
  type JsonObject,
  listOf,
  membersOf,
  numberIn,
  objectsOf,
  textIn,
  textOf,
  without,
} from '../conversation/json.ts'
import { providerFields, unreadMembers } from '../conversation/provider-fields.ts'
import type { RequestTarget } from '../dialect.ts'
import { withCarriedThoughts } from './carried-thoughts.ts'
import { field, objectField, spellings } from './names.ts'
import { inventedId, readPart } from './parts.ts'
import { jsonSchema } from './schemas/schema.ts'

const invalid = (detail: string): AppError => new AppError('invalid_text_request', { params: { detail } })

const translatedFields = spellings([
  'model',
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'generationConfig',
  'serviceTier',
])

const translatedSettings = spellings([
  'temperature',
  'topP',
  'topK',
  'candidateCount',
  'maxOutputTokens',
  'stopSequences',
  'seed',
  'presencePenalty',
  'frequencyPenalty',
  'responseLogprobs',
  'logprobs',
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
  'responseModalities',
  'thinkingConfig',
])

const partsOf = (content: JsonObject): Part[] => objectsOf(content.parts).map(readPart)

/** Calls may lack ids. Results are then matched to calls by name, in order. */
const withIds = (messages: readonly Message[]): Message[] => {
  const open: { id: string; name: string }[] = []
  let calls = 0
  const identified = (part: Part): Part => {
    if (part.kind === 'tool_call') {
      calls += 1
      const id = part.id || inventedId(calls, '')
      open.push({ id, name: part.name })
      return { ...part, id }
    }
    if (part.kind !== 'tool_result') return part
    const at = open.findIndex(({ id, name }) => (part.id === '' ? name === part.name : id === part.id))
    const [call] = at < 0 ? [] : open.splice(at, 1)
    return { ...part, id: part.id || (call?.id ?? inventedId(0, part.name ?? '')) }
  }
  return messages.map((message) => ({ ...message, parts: message.parts.map(identified) }))
}

/** Joins consecutive model contents: clients keep each piece of a streamed turn as its own (`Chat` of @google/genai). */
const turnsOf = (contents: readonly JsonObject[]): JsonObject[] => {
  const turns: JsonObject[] = []
  for (const content of contents) {
    const last = turns.at(-1)
    const goesOn = content.role === 'model' && last?.role === 'model'
    if (goesOn) turns[turns.length - 1] = { ...last, parts: [...listOf(last.parts), ...listOf(content.parts)] }
    else turns.push(content)
  }
  return turns
}

/** False for an empty text without a signature, as in the last piece of a stream. */
const hasContent = (part: Part): boolean => part.kind !== 'text' || part.text !== '' || part.signature !== undefined

const readContent = (content: JsonObject): Message[] => {
  const all = partsOf(content)
  const parts = all.some(hasContent) ? all.filter(hasContent) : all
  if (content.role === 'model') return [{ role: 'assistant', parts: withCarriedThoughts(parts) }]
  const results = parts.filter(({ kind }) => kind === 'tool_result')
  const rest = parts.filter(({ kind }) => kind !== 'tool_result')
  return [
    ...(results.length > 0 ? [{ role: 'tool', parts: results } as const] : []),
    ...(rest.length > 0 ? [{ role: 'user', parts: rest } as const] : []),
  ]
}

const readMessages = (body: JsonObject): Message[] => {
  if (!Array.isArray(body.contents)) throw invalid('field contents is not a list')
  const instruction = field(body, 'systemInstruction')
  const system =
    typeof instruction === 'string' ? [{ kind: 'text' as const, text: instruction }] : partsOf(membersOf(instruction))
  const messages = turnsOf(objectsOf(body.contents)).flatMap(readContent)
  return withIds(system.length > 0 ? [{ role: 'system', parts: system }, ...messages] : messages)
}

const parametersOf = (declaration: JsonObject): JsonObject | undefined => {
  const standard = field(declaration, 'parametersJsonSchema')
  if (isObject(standard)) return standard
  return isObject(declaration.parameters) ? jsonSchema(declaration.parameters) : undefined
}

const builtIns: Readonly<Record<string, 'web_search' | 'code_execution' | 'web_fetch'>> = {
  googleSearch: 'web_search',
  google_search: 'web_search',
  googleSearchRetrieval: 'web_search',
  codeExecution: 'code_execution',
  code_execution: 'code_execution',
  urlContext: 'web_fetch',
  url_context: 'web_fetch',
}

const translatedInFunction = spellings(['name', 'description', 'parameters', 'parametersJsonSchema'])

const readTool = (tool: JsonObject): Tool[] => {
  const functions = objectsOf(field(tool, 'functionDeclarations')).map(
    (declaration): Tool => ({
      kind: 'function',
      name: textOf(declaration.name),
      ...defined({ description: textIn(declaration.description), parameters: parametersOf(declaration) }),
      ...providerFields('gemini', declaration, translatedInFunction),
    }),
  )
  const others = Object.entries(tool)
    .filter(([name]) => name !== 'functionDeclarations' && name !== 'function_declarations')
    .map(
      ([name, value]): Tool => ({
        kind: 'built_in',
        type: ownMember(builtIns, name) ?? 'other',
        dialect: 'gemini',
        value: { [name]: value },
      }),
    )
  return [...functions, ...others]
}

const readChoice = (body: JsonObject): ToolChoice | undefined => {
  const config = objectField(objectField(body, 'toolConfig'), 'functionCallingConfig')
  const names = listOf(field(config, 'allowedFunctionNames')).map(textOf)
  const mode = textOf(config.mode).toUpperCase()
  const [only] = names
  if (mode === 'NONE') return { kind: 'none' }
  if (mode === 'VALIDATED' && only !== undefined) return { kind: 'allowed', names, required: false }
  if (mode === 'AUTO' || mode === 'VALIDATED') return { kind: 'auto' }
  if (mode !== 'ANY') return undefined
  if (only === undefined) return { kind: 'required' }
  return names.length === 1 ? { kind: 'tool', name: only } : { kind: 'allowed', names, required: true }
}

const readFormat = (settings: JsonObject): AnswerFormat | undefined => {
  const standard = field(settings, 'responseJsonSchema')
  const own = field(settings, 'responseSchema')
  const schema = isObject(standard) ? standard : isObject(own) ? jsonSchema(own) : undefined
  const mime = field(settings, 'responseMimeType')
  if (schema !== undefined) {
    const word = mime === 'text/x.enum' ? (true as const) : undefined
    return { kind: 'schema', name: textIn(schema.title) ?? 'answer', schema, ...defined({ word }) }
  }
  return mime === 'application/json' ? { kind: 'json' } : undefined
}

const readReasoning = (settings: JsonObject): Reasoning | undefined => {
  const config = field(settings, 'thinkingConfig')
  if (!isObject(config)) return undefined
  const budget = numberIn(field(config, 'thinkingBudget'))
  const effort = effortIn(textOf(field(config, 'thinkingLevel')).toLowerCase())
  const shown = field(config, 'includeThoughts') === true
  return defined({ budget, effort, summary: shown ? ('auto' as const) : ('none' as const) })
}

const tiers: Readonly<Record<string, string>> = { standard: 'default', flex: 'flex', priority: 'priority' }

/** The tier in OpenAI's words (ai.google.dev/api/generate-content, ServiceTier). */
const readTier = (body: JsonObject): string | undefined =>
  ownMember(tiers, textOf(field(body, 'serviceTier')).toLowerCase())

const readMembers = { thinkingConfig: spellings(['thinkingBudget', 'thinkingLevel', 'includeThoughts']) }

/** Reads a generateContent request (ai.google.dev/api/generate-content). */
export const readRequest = (body: JsonObject, { model, stream }: RequestTarget): Conversation => {
  const settings = objectField(body, 'generationConfig')
  const number = (name: string): number | undefined => numberIn(field(settings, name))
  const stop = field(settings, 'stopSequences')
  const modalities = field(settings, 'responseModalities')
  const leftSettings = without(settings, translatedSettings)
  const leftConfig = without(objectField(body, 'toolConfig'), spellings(['functionCallingConfig']))
  return {
    model,
    stream,
    streamUsage: true,
    messages: readMessages(body),
    tools: objectsOf(body.tools).flatMap(readTool),
    ...defined({
      toolChoice: readChoice(body),
      format: readFormat(settings),
      serviceTier: readTier(body),
      reasoning: readReasoning(settings),
      maxTokens: number('maxOutputTokens'),
      temperature: number('temperature'),
      topP: number('topP'),
      topK: number('topK'),
      n: number('candidateCount'),
      seed: number('seed'),
      presencePenalty: number('presencePenalty'),
      frequencyPenalty: number('frequencyPenalty'),
      stop: Array.isArray(stop) ? stop.map(textOf) : undefined,
      logprobs: field(settings, 'responseLogprobs') === true ? true : undefined,
      topLogprobs: number('logprobs'),
      modalities: Array.isArray(modalities) ? modalities.map((modality) => textOf(modality).toLowerCase()) : undefined,
    }),
    own: {
      dialect: 'gemini',
      members: {
        ...without(body, translatedFields),
        ...(Object.keys(leftConfig).length > 0 ? { toolConfig: leftConfig } : {}),
        ...(Object.keys(leftSettings).length > 0 ? { generationConfig: leftSettings } : {}),
      },
      ...unreadMembers({ thinkingConfig: field(settings, 'thinkingConfig') }, readMembers),
    },
  }
}
