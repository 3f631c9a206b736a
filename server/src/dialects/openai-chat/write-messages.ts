import { writeBreakpoint } from '../conversation/cache-breakpoints.ts'
import { shortCallId } from '../conversation/call-ids.ts'
import type {
  MediaSource,
  Message,
  Part,
  ThinkingPart,
  ToolCallPart,
  ToolResultPart,
} from '../conversation/conversation.ts'
import { dataUrl } from '../conversation/data-url.ts'
import { resultOf, seeNext } from '../conversation/gaps/filler-texts.ts'
import { defined, type JsonObject } from '../conversation/json.ts'
import { dropNotes } from '../conversation/provider-fields.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'
import { inputOf } from '../tools/custom-tools.ts'
import type { ChatCapabilities } from './capabilities.ts'

interface Writing {
  readonly capabilities: ChatCapabilities
  /** True if parts may carry OpenAI's marks of what to cache, which its own clients set. */
  readonly breakpoints: boolean
  readonly unsupported: UnsupportedFields
}

const urlOf = (source: MediaSource, field: string, unsupported: UnsupportedFields): string | undefined => {
  if (source.kind === 'url') return source.url
  if (source.kind === 'base64') return dataUrl(source)
  unsupported.add(`${field}.file_id`)
  return undefined
}

const documentPart = (
  part: Extract<Part, { kind: 'document' }>,
  unsupported: UnsupportedFields,
): JsonObject | undefined => {
  dropNotes(part, unsupported, part.source.kind === 'base64')
  const { source, filename = part.title ?? 'document.pdf' } = part
  switch (source.kind) {
    case 'text':
      return { type: 'text', text: source.text }
    case 'base64':
      return { type: 'file', file: { filename, file_data: dataUrl(source) } }
    case 'file':
      return { type: 'file', file: { file_id: source.id } }
    case 'url':
      unsupported.add('messages.document.url')
      return undefined
  }
}

const audioPart = (part: Extract<Part, { kind: 'audio' }>, unsupported: UnsupportedFields): JsonObject | undefined => {
  if (part.source.kind !== 'base64') {
    unsupported.add('messages.audio.url')
    return undefined
  }
  const { mediaType, data } = part.source
  const format = mediaType.replace(/^audio\/(x-)?/, '')
  return { type: 'input_audio', input_audio: { data, format: format === 'mpeg' ? 'mp3' : format } }
}

const barePart = (part: Part, unsupported: UnsupportedFields): JsonObject | undefined => {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'refusal':
      return { type: 'refusal', refusal: part.text }
    case 'image': {
      const url = urlOf(part.source, 'messages.image', unsupported)
      return url === undefined
        ? undefined
        : { type: 'image_url', image_url: { url, ...defined({ detail: part.detail }) } }
    }
    case 'video': {
      const url = urlOf(part.source, 'messages.video', unsupported)
      return url === undefined ? undefined : { type: 'video_url', video_url: { url } }
    }
    case 'audio':
      return audioPart(part, unsupported)
    case 'document':
      return documentPart(part, unsupported)
    case 'opaque':
      if (part.dialect === 'openai-chat') return part.value
      unsupported.add(`messages.${part.type}`)
      return undefined
    default:
      return undefined
  }
}

const contentPart = (part: Part, { capabilities, breakpoints, unsupported }: Writing): JsonObject[] => {
  const written = barePart(part, unsupported)
  if (written === undefined) return []
  const cache = 'cache' in part ? part.cache : undefined
  if (cache === undefined) return [written]
  if (breakpoints) return [{ ...written, ...writeBreakpoint(cache) }]
  if (!capabilities.cacheMarks) {
    unsupported.add('cache_control')
    return [written]
  }
  return [{ ...written, cache_control: { type: 'ephemeral', ...(cache.ttl === '1h' ? { ttl: '1h' } : {}) } }]
}

const isMarked = ({ cache_control, prompt_cache_breakpoint }: JsonObject): boolean =>
  cache_control !== undefined || prompt_cache_breakpoint !== undefined

/** Writes a single text as a string, which every provider accepts, and anything else as a list of parts. */
const contentOf = (parts: readonly Part[], writing: Writing): string | JsonObject[] => {
  const written = parts
    .filter((part) => part.kind !== 'text' || part.text !== '')
    .flatMap((part) => contentPart(part, writing))
  const [only] = written
  if (written.length === 0) return ''
  return written.length === 1 && only?.type === 'text' && !isMarked(only) ? String(only.text) : written
}

const functionOf = (call: ToolCallPart): JsonObject => ({
  name: call.name,
  arguments: call.custom ? JSON.stringify(inputOf(call)) : call.arguments,
})

const callId = (id: string, { ownModels }: ChatCapabilities): string => (ownModels ? shortCallId(id, 40) : id)

const writeCall = (call: ToolCallPart, { capabilities }: Writing): JsonObject => ({
  id: callId(call.id, capabilities),
  ...(call.custom && capabilities.customTools
    ? { type: 'custom', custom: { name: call.name, input: call.arguments } }
    : { type: 'function', function: functionOf(call) }),
  ...(call.signature === undefined || !capabilities.callSignatures
    ? {}
    : { extra_content: { google: { thought_signature: call.signature } } }),
})

/** OpenRouter's `format` of signed reasoning, by the dialect that signed it. */
const formats: ReadonlyMap<string, string> = new Map([
  ['anthropic', 'anthropic-claude-v1'],
  ['gemini', 'google-gemini-v1'],
  ['openai-responses', 'openai-responses-v1'],
])

/**
 * Writes a thinking part as entries of OpenRouter's `reasoning_details`, which carries signatures (openrouter.ai/docs: reasoning
 * tokens). Entries with the same index belong together.
 */
export const reasoningDetails = (part: Omit<ThinkingPart, 'kind'>, index: number): JsonObject[] => {
  const { text, signature, encrypted, id, by } = part
  const format = by === undefined ? undefined : formats.get(by)
  const common = { index, ...defined({ id, format }) }
  if (encrypted === undefined) return [{ type: 'reasoning.text', text, ...defined({ signature }), ...common }]
  const summary = text === '' ? [] : [{ type: 'reasoning.summary', summary: text, ...common }]
  return [...summary, { type: 'reasoning.encrypted', data: encrypted, ...common }]
}

/** Stands in for unknown reasoning: DeepSeek refuses tool calls without any (api-docs.deepseek.com/guides/thinking_mode). */
const noThought = ' '

const thoughtMembers = (
  thoughts: readonly ThinkingPart[],
  calls: boolean,
  { capabilities, unsupported }: Writing,
): JsonObject => {
  const isWanted = calls && capabilities.wantsThoughts
  if (thoughts.length === 0) return isWanted ? { reasoning_content: noThought } : {}
  if (capabilities.thoughts === 'reasoning_details') return { reasoning_details: thoughts.flatMap(reasoningDetails) }
  if (capabilities.thoughts === 'reasoning_content') {
    if (thoughts.some(({ encrypted }) => encrypted !== undefined)) unsupported.add('messages.thinking.encrypted')
    const text = thoughts.map((thought) => thought.text).join('')
    return { reasoning_content: text === '' && isWanted ? noThought : text }
  }
  unsupported.add('messages.thinking')
  return {}
}

const ofKind = <K extends Part['kind']>(parts: readonly Part[], kind: K): Extract<Part, { kind: K }>[] =>
  parts.filter((part): part is Extract<Part, { kind: K }> => part.kind === kind)

const assistant = ({ parts, name }: Message, writing: Writing): JsonObject => {
  const calls = ofKind(parts, 'tool_call')
  const refusals = ofKind(parts, 'refusal')
  const [spoken] = ofKind(parts, 'audio')
  const rest = parts.filter(({ kind }) => !['tool_call', 'thinking', 'refusal', 'audio'].includes(kind))
  const content = contentOf(rest, writing)
  return {
    role: 'assistant',
    content: content === '' && (calls.length > 0 || refusals.length > 0 || spoken !== undefined) ? null : content,
    ...defined({ name, refusal: refusals.length > 0 ? refusals.map(({ text }) => text).join('') : undefined }),
    ...(spoken?.id === undefined ? {} : { audio: { id: spoken.id } }),
    ...thoughtMembers(ofKind(parts, 'thinking'), calls.length > 0, writing),
    ...(calls.length > 0 ? { tool_calls: calls.map((call) => writeCall(call, writing)) } : {}),
  }
}

/** Most providers accept only text in tool results: pictures and files follow in a user message after all results. */
const toolMessages = (message: Message, writing: Writing): JsonObject[] => {
  const results = ofKind(message.parts, 'tool_result')
  if (results.some(({ isError }) => isError)) writing.unsupported.add('messages.tool_result.is_error')
  if (writing.capabilities.toolPictures) {
    return results.map(({ id, content }) => ({
      role: 'tool',
      tool_call_id: callId(id, writing.capabilities),
      content: contentOf(content, writing),
    }))
  }
  const shown = results.flatMap((result) => shownOf(result, writing))
  const written = results.map((result) => {
    const content = contentOf(ofKind(result.content, 'text'), writing)
    return {
      role: 'tool',
      tool_call_id: callId(result.id, writing.capabilities),
      content: content === '' && mediaOf(result, writing).length > 0 ? seeNext : content,
    }
  })
  return shown.length === 0 ? written : [...written, { role: 'user', content: shown }]
}

const mediaOf = ({ content }: ToolResultPart, writing: Writing): JsonObject[] =>
  content.filter(({ kind }) => kind !== 'text').flatMap((part) => contentPart(part, writing))

/** The pictures and files of a result behind its name; nothing where none can be written. */
const shownOf = (result: ToolResultPart, writing: Writing): JsonObject[] => {
  const media = mediaOf(result, writing)
  return media.length === 0 ? [] : [{ type: 'text', text: resultOf(result.id) }, ...media]
}

const writeMessage = (message: Message, writing: Writing): JsonObject[] => {
  if (message.role === 'assistant') return [assistant(message, writing)]
  if (message.role === 'tool') return toolMessages(message, writing)
  const content = contentOf(message.parts, writing)
  // Only OpenAI has the role `developer`.
  const role = message.role === 'developer' && !writing.capabilities.developers ? 'system' : message.role
  return [{ role, content, ...defined({ name: message.name }) }]
}

/** A lone thought is kept where the provider takes thoughts; speech of the model is kept by its id. */
const isThoughtWritten = ({ parts }: Message, { capabilities }: Writing): boolean =>
  capabilities.thoughts !== 'none' &&
  parts.some((part) => part.kind === 'thinking' && (part.text || part.signature || part.encrypted))

export const isWritten =
  (writing: Writing) =>
  (message: Message): boolean => {
    const written = writeMessage(message, writing)
    if (message.role !== 'assistant') return written.some(({ content }) => content !== '')
    return (
      isThoughtWritten(message, writing) ||
      written.some(({ content, refusal, audio }) => (content ?? refusal ?? audio ?? '') !== '')
    )
  }

export const writeMessages = (messages: readonly Message[], writing: Writing): JsonObject[] =>
  messages.flatMap((message) => writeMessage(message, writing))
