import { ownMember } from '@tollgate/contract/own-member'
import { readBreakpoint } from '../conversation/cache-breakpoints.ts'
import type { CacheMark, Message, Part, Role, ThinkingPart, ToolCallPart } from '../conversation/conversation.ts'
import { sourceOfFile, sourceOfUrl } from '../conversation/data-url.ts'
import { defined, isObject, type JsonObject, membersOf, objectsOf, textIn, textOf } from '../conversation/json.ts'
import { isMedia, withUnread } from '../conversation/provider-fields.ts'

const roles: Readonly<Record<string, Role>> = {
  system: 'system',
  developer: 'developer',
  assistant: 'assistant',
  tool: 'tool',
  function: 'tool',
}

/** Anthropic's `cache_control`, which OpenRouter and LiteLLM accept on OpenAI's parts too, or OpenAI's own mark. */
const cacheOf = (part: JsonObject): CacheMark | undefined => {
  const mark = part.cache_control
  if (!isObject(mark) || mark.type !== 'ephemeral') return readBreakpoint(part)
  return { ttl: mark.ttl === '1h' ? '1h' : '5m' }
}

/** Members of pictures, sounds and files that are read. */
const mediaMembers = new Set([
  ...['type', 'image_url', 'video_url', 'input_audio', 'file', 'cache_control', 'prompt_cache_breakpoint'],
  ...['url', 'detail', 'data', 'format', 'file_data', 'file_id', 'filename'],
])

/** The members of a part of the type `image_url` are in its member `image_url`, and so on. */
const withOthers = (part: Part, value: JsonObject): Part =>
  isMedia(part)
    ? withUnread(part, { ...value, ...membersOf(ownMember(value, textOf(value.type))) }, mediaMembers)
    : part

const filePart = (file: JsonObject): Part | undefined => {
  const filename = textIn(file.filename)
  if (typeof file.file_data === 'string') {
    return { kind: 'document', source: sourceOfFile(file.file_data), ...defined({ filename }) }
  }
  if (typeof file.file_id !== 'string') return undefined
  return { kind: 'document', source: { kind: 'file', id: file.file_id }, ...defined({ filename }) }
}

const urlOf = (value: unknown): string => (typeof value === 'string' ? value : textOf(membersOf(value).url))

/** `data` is bare base64; some clients send a data URL instead. */
const audioPart = ({ data, format }: JsonObject): Part => {
  const source = sourceOfUrl(textOf(data))
  if (source.kind === 'base64') return { kind: 'audio', source }
  return {
    kind: 'audio',
    source: { kind: 'base64', mediaType: `audio/${textOf(format) || 'wav'}`, data: textOf(data) },
  }
}

/** Text of a `thinking` part, in which Mistral returns reasoning (docs.mistral.ai/capabilities/reasoning). */
export const thoughtText = ({ thinking }: JsonObject): string =>
  typeof thinking === 'string'
    ? thinking
    : objectsOf(thinking)
        .map(({ text }) => textOf(text))
        .join('')

const bareParts: Readonly<Record<string, (part: JsonObject) => Part | undefined>> = {
  text: (part) => ({ kind: 'text', text: textOf(part.text) }),
  refusal: (part) => ({ kind: 'refusal', text: textOf(part.refusal) }),
  image_url: (part) => ({
    kind: 'image',
    source: sourceOfUrl(urlOf(part.image_url)),
    ...defined({ detail: textIn(membersOf(part.image_url).detail) }),
  }),
  video_url: (part) => ({ kind: 'video', source: sourceOfUrl(urlOf(part.video_url)) }),
  input_audio: (part) => audioPart(membersOf(part.input_audio)),
  file: (part) => filePart(membersOf(part.file)),
  thinking: (part) => ({ kind: 'thinking', text: thoughtText(part) }),
}

const readPart = (part: JsonObject): Part => {
  const type = textOf(part.type)
  const bare = ownMember(bareParts, type)?.(part)
  const read = bare && withOthers(bare, part)
  if (read === undefined) return { kind: 'opaque', dialect: 'openai-chat', type, value: part }
  const cache = cacheOf(part)
  return cache === undefined || read.kind === 'opaque' || read.kind === 'refusal' || read.kind === 'thinking'
    ? read
    : { ...read, cache }
}

const contentParts = (content: unknown): Part[] => {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
  return objectsOf(content).map(readPart)
}

const closed = ({ signature, encrypted }: ThinkingPart): boolean => signature !== undefined || encrypted !== undefined

/**
 * Reads OpenRouter's `reasoning_details`, which carries signatures through OpenAI's dialect. Joins entries with the same index:
 * streams split one thinking block into several.
 */
const detailParts = (details: readonly JsonObject[]): ThinkingPart[] => {
  const parts: ThinkingPart[] = []
  let before: unknown
  for (const { index, ...detail } of details) {
    const text = textOf(detail.text) || textOf(detail.summary)
    const encrypted = detail.type === 'reasoning.encrypted' ? textOf(detail.data) : undefined
    const fields = defined({
      signature: textIn(detail.signature),
      encrypted,
      id: textIn(detail.id),
      by: makerOf(detail),
    })
    const last = parts.at(-1)
    if (last !== undefined && !closed(last) && index !== undefined && index === before)
      parts[parts.length - 1] = { ...last, ...fields, text: last.text + text }
    else if (text !== '' || 'signature' in fields || 'encrypted' in fields)
      parts.push({ kind: 'thinking', text, ...fields })
    before = index
  }
  return parts
}

export const makerOf = ({ format }: JsonObject): ThinkingPart['by'] => {
  const maker = textOf(format)
  if (maker.startsWith('anthropic')) return 'anthropic'
  if (maker.startsWith('google')) return 'gemini'
  return maker.startsWith('openai') ? 'openai-responses' : undefined
}

/** Reads an entry of LiteLLM's `thinking_blocks`: Anthropic's blocks, unchanged. */
const blockPart = (block: JsonObject): ThinkingPart[] => {
  if (block.type === 'redacted_thinking') {
    return [{ kind: 'thinking', text: '', encrypted: textOf(block.data), by: 'anthropic' }]
  }
  const signature = textIn(block.signature)
  return [{ kind: 'thinking', text: textOf(block.thinking), by: 'anthropic', ...defined({ signature }) }]
}

/** Some clients keep of a thought's pieces only the last one, which signs it, and the text in a field beside it. */
const withTextBeside = (details: readonly ThinkingPart[], message: JsonObject): ThinkingPart[] => {
  const [only] = details
  const text = textOf(message.reasoning_content) || textOf(message.reasoning)
  return details.length === 1 && only?.signature !== undefined && only.text === '' && text !== ''
    ? [{ ...only, text }]
    : [...details]
}

const thinkingParts = (message: JsonObject): ThinkingPart[] => {
  const details = detailParts(objectsOf(message.reasoning_details))
  if (details.length > 0) return withTextBeside(details, message)
  const blocks = objectsOf(message.thinking_blocks).flatMap(blockPart)
  if (blocks.length > 0) return blocks
  const text = textOf(message.reasoning_content) || textOf(message.reasoning)
  return text === '' ? [] : [{ kind: 'thinking', text }]
}

/** The signature of a tool call, in Google's extension of OpenAI's dialect. */
const callSignature = (call: JsonObject): string | undefined =>
  textIn(membersOf(membersOf(call.extra_content).google).thought_signature)

const callPart = (call: JsonObject): ToolCallPart => {
  const id = textOf(call.id)
  if (call.type === 'custom') {
    const { name, input } = membersOf(call.custom)
    return { kind: 'tool_call', id, name: textOf(name), arguments: textOf(input), custom: true }
  }
  const { name, arguments: input } = membersOf(call.function)
  const text = typeof input === 'string' ? input : JSON.stringify(input ?? {})
  return { kind: 'tool_call', id, name: textOf(name), arguments: text, ...defined({ signature: callSignature(call) }) }
}

const callParts = (message: JsonObject): ToolCallPart[] => {
  const calls = objectsOf(message.tool_calls).map(callPart)
  const { name, arguments: text } = membersOf(message.function_call)
  // Some clients send both fields; `tool_calls` wins.
  if (calls.length > 0 || textOf(name) === '') return calls
  return [{ kind: 'tool_call', id: `call_${textOf(name)}`, name: textOf(name), arguments: textOf(text) }]
}

/** Requests refer to earlier speech by its id; answers hold its data. */
const audioParts = ({ id, data, transcript }: JsonObject): Part[] => {
  if (typeof id !== 'string') return []
  if (typeof data !== 'string') return [{ kind: 'audio', source: { kind: 'file', id }, id }]
  const source = { kind: 'base64', mediaType: '', data } as const
  return [{ kind: 'audio', source, id, ...defined({ transcript: textIn(transcript) }) }]
}

const assistantParts = (message: JsonObject): Part[] => [
  ...thinkingParts(message),
  ...contentParts(message.content),
  ...(typeof message.refusal === 'string' && message.refusal !== ''
    ? [{ kind: 'refusal', text: message.refusal } as const]
    : []),
  ...audioParts(membersOf(message.audio)),
  ...callParts(message),
]

const resultParts = (message: JsonObject): Part[] => {
  const name = textIn(message.name)
  const id = message.role === 'function' ? `call_${name ?? ''}` : textOf(message.tool_call_id)
  return [{ kind: 'tool_result', id, content: contentParts(message.content), ...defined({ name }) }]
}

/** Unknown roles become `user`. */
export const readMessage = (message: JsonObject): Message => {
  const role = ownMember(roles, textOf(message.role)) ?? 'user'
  const parts =
    role === 'assistant'
      ? assistantParts(message)
      : role === 'tool'
        ? resultParts(message)
        : contentParts(message.content)
  return { role, parts, ...defined({ name: role === 'tool' ? undefined : textIn(message.name) }) }
}
