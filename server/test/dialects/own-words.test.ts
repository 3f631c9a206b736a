import { expect, it } from 'vitest'
import { adapted } from '../../src/dialects/adapted.ts'
import { anthropicMessages } from '../../src/dialects/anthropic/dialect.ts'
import { bedrockConverse } from '../../src/dialects/bedrock/dialect.ts'
import { cohereChat } from '../../src/dialects/cohere/dialect.ts'
import { InexpressibleError } from '../../src/dialects/conversation/gaps/inexpressible.ts'
import { isObject } from '../../src/dialects/conversation/json.ts'
import { createUnsupportedFields } from '../../src/dialects/conversation/unsupported-fields.ts'
import type { UpstreamDialect } from '../../src/dialects/dialect.ts'
import { geminiContent } from '../../src/dialects/gemini/dialect.ts'
import { ollamaChat } from '../../src/dialects/ollama/dialect.ts'
import { openaiChat } from '../../src/dialects/openai-chat/dialect.ts'
import { openaiResponses } from '../../src/dialects/openai-responses/dialect.ts'
import { type ItemCase, itemCases } from '../support/dialects/every-item.ts'

/** No provider reads a text that the client did not send, but for the few of the list below. */

const upstreams: readonly (readonly [string, string, UpstreamDialect])[] = [
  ['OpenAI', 'gpt-6.1-sol', openaiChat()],
  [
    'DeepSeek',
    'deepseek-v4-pro',
    openaiChat({ thoughts: 'reasoning_content', wantsThoughts: true, developers: false }),
  ],
  ['OpenRouter', 'vendor/model', openaiChat({ thoughts: 'reasoning_details', toolPictures: true })],
  ['Responses', 'gpt-6.1-sol', openaiResponses],
  ['Claude', 'claude-opus-5-5', anthropicMessages()],
  ['Gemini 2.5', 'gemini-2.5-flash', geminiContent()],
  ['Gemini 3', 'gemini-3-pro', geminiContent()],
  ['Converse', 'anthropic.claude-opus-4-6', bedrockConverse],
  ['Cohere', 'command-a', cohereChat],
  ['Ollama', 'llama', ollamaChat],
]

const allowed: readonly RegExp[] = [
  /\(The assistant began this conversation\.\)/g,
  /Attached: /g,
  /Loaded: /g,
  /See the next message\./g,
  /Result of tool call /g,
  /Message from (?=.* to .*:)/g,
  /\bto\b/g,
  /Summary of the conversation before this point:/g,
  // A signature that Google gives for calls of other models.
  /^skip_thought_signature_validator$/g,
]

/** Strings and names anywhere in a client's body, the longest first. */
const saidIn = (value: unknown): string[] => {
  if (typeof value === 'string') return value.startsWith('{') ? [value, ...saidIn(JSON.parse(value))] : [value]
  if (Array.isArray(value)) return value.flatMap(saidIn)
  return isObject(value) ? [...Object.keys(value), ...Object.values(value).flatMap(saidIn)] : []
}

/** Members whose values are names of the dialect, not words for the model. */
const names = new Set([
  ...['role', 'type', 'id', 'name', 'call_id', 'tool_call_id', 'tool_use_id', 'toolUseId', 'tool_name', 'status'],
  ...[
    'format',
    'mimeType',
    'media_type',
    'detail',
    'effort',
    'signature',
    'data',
    'bytes',
    'url',
    'image_url',
    'images',
    'redactedContent',
  ],
])

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, inner]) => (names.has(name) ? [] : textsIn(inner)))
}

const unsaid = (text: string, said: readonly string[]): string => {
  let left = text
  for (const own of allowed) left = left.replaceAll(own, '')
  for (const word of said) left = left.replaceAll(word, '').replaceAll(JSON.stringify(word).slice(1, -1), '')
  return left.replaceAll(/\b(result|output|error|status|true|false|null)\b|[\s\d"'{}[\]:,/()]/g, '')
}

const written = ({ client, body }: ItemCase, place: 'between' | 'last', model: string, upstream: UpstreamDialect) => {
  const sent = body(place)
  const unsupported = createUnsupportedFields()
  const conversation = client.readRequest(sent, { model, stream: false })
  const { conversation: within, dialect } = adapted(conversation, upstream, unsupported)
  const request = dialect.writeRequest(within, unsupported)
  return { sent, turns: request.messages ?? request.input ?? request.contents, unsupported: unsupported.list() }
}

const isEmptyTurn = (turn: unknown): boolean => {
  if (!isObject(turn) || turn.role === 'tool' || turn.role === undefined) return false
  const rest =
    turn.tool_calls ??
    turn.tool_plan ??
    turn.reasoning_content ??
    turn.reasoning_details ??
    turn.thinking ??
    turn.images
  const content = turn.content ?? turn.parts ?? ''
  return rest === undefined && (content === '' || (Array.isArray(content) && content.length === 0))
}

it.each(
  itemCases.flatMap((item) =>
    upstreams.map(([to, model, upstream]) => ({ name: item.name, to, model, upstream, item })),
  ),
)('$name to $to', ({ item, model, upstream }) => {
  for (const place of ['between', 'last'] as const) {
    let request: ReturnType<typeof written>
    try {
      request = written(item, place, model, upstream)
    } catch (error) {
      expect(error).toBeInstanceOf(InexpressibleError)
      expect(place).toBe('last')
      continue
    }
    const said = [...new Set(saidIn(request.sent))].filter((word) => word !== '').sort((a, b) => b.length - a.length)
    const texts = textsIn(request.turns)
    expect(texts.map((text) => unsaid(text, said)).filter((left) => left !== '')).toEqual([])
    expect((request.turns as unknown[]).filter(isEmptyTurn)).toEqual([])
    for (const text of ['First', 'Last']) expect(texts.some((written) => written.includes(text))).toBe(true)
  }
})
