import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { completionTokens, noUsage, promptTokens } from '../../src/billing/usage.ts'
import { anthropicDialect, anthropicMessages } from '../../src/dialects/anthropic/dialect.ts'
import { bedrockConverse } from '../../src/dialects/bedrock/dialect.ts'
import { cohereChat } from '../../src/dialects/cohere/dialect.ts'
import { collect, eventsOf } from '../../src/dialects/conversation/collect.ts'
import type { Answer, Conversation, Part } from '../../src/dialects/conversation/conversation.ts'
import { parsedJson } from '../../src/dialects/conversation/json.ts'
import { unwrapSignature } from '../../src/dialects/conversation/signatures.ts'
import type { StreamEvent } from '../../src/dialects/conversation/stream-event.ts'
import { createUnsupportedFields } from '../../src/dialects/conversation/unsupported-fields.ts'
import type { ClientDialect, UpstreamDialect } from '../../src/dialects/dialect.ts'
import { geminiContent, geminiDialect } from '../../src/dialects/gemini/dialect.ts'
import { ollamaChat } from '../../src/dialects/ollama/dialect.ts'
import { openaiChat, openaiChatDialect } from '../../src/dialects/openai-chat/dialect.ts'
import { openaiResponses, openaiResponsesDialect } from '../../src/dialects/openai-responses/dialect.ts'

/** Recorded streams and answers of real providers, translated to each dialect: no supported content is lost. */

interface Recording {
  readonly id: string
  readonly format: string
  readonly stream: boolean
  readonly model: string
  readonly request: { readonly body: Readonly<Record<string, unknown>> | null }
  readonly response: {
    readonly status: number
    readonly body?: Readonly<Record<string, unknown>>
    readonly sse?: readonly string[]
    readonly ndjson?: readonly string[]
    readonly events?: readonly { readonly type: string; readonly payload: unknown }[]
  }
}

const wire = join(dirname(fileURLToPath(import.meta.url)), '../../../../shared/wire')

const readIndex = (): readonly { file: string; format: string }[] => {
  try {
    return JSON.parse(readFileSync(join(wire, 'index.json'), 'utf8'))
  } catch {
    console.warn('No recorded exchanges were found: telling them again is skipped')
    return []
  }
}

const gemini = { client: geminiDialect, upstream: geminiContent() }

const speakers: Readonly<Record<string, { client: ClientDialect; upstream: UpstreamDialect }>> = {
  'openai.chat': { client: openaiChatDialect, upstream: openaiChat() },
  'anthropic.messages': { client: anthropicDialect, upstream: anthropicMessages() },
  'openai.responses': { client: openaiResponsesDialect, upstream: openaiResponses },
  'gemini.generateContent': gemini,
  'gemini.streamGenerateContent': gemini,
}

/** Languages that no client speaks. */
const upstreams: Readonly<Record<string, UpstreamDialect>> = {
  'bedrock.converse': bedrockConverse,
  'cohere.chat.v2': cohereChat,
  'ollama.chat': ollamaChat,
}

const upstreamOf = (format: string): UpstreamDialect | undefined => speakers[format]?.upstream ?? upstreams[format]

/** All as server-sent events, however they were cut. */
const messagesIn = ({ sse = [], ndjson = [], events = [] }: Recording['response']): readonly string[] => [
  ...sse,
  ...ndjson.map((line) => `data: ${line}`),
  ...events.map(({ type, payload }) => `data: ${JSON.stringify({ [type]: payload })}`),
]

const recordings = readIndex()
  .filter(({ format }) => upstreamOf(format) !== undefined)
  .map(({ file }): Recording => JSON.parse(readFileSync(join(wire, file), 'utf8')))
  .filter(({ response }) => response.status === 200)

const messageOf = (raw: string): { event: string; data: string } => {
  const lines = raw.split(/\r?\n/)
  const field = (name: string) =>
    lines.flatMap((line) => (line.startsWith(`${name}:`) ? [line.slice(name.length + 1).trimStart()] : []))
  return { event: field('event')[0] ?? '', data: field('data').join('\n') }
}

const readAll = (upstream: UpstreamDialect, messages: readonly string[]): StreamEvent[] => {
  const reader = upstream.openStream()
  const events = messages.flatMap((raw) => {
    const { event, data } = messageOf(raw)
    return data === '' ? [] : reader.read(data, event)
  })
  return [...events, ...reader.end()]
}

const conversation: Conversation = {
  model: 'm',
  stream: true,
  streamUsage: true,
  messages: [],
  tools: [],
  own: { dialect: 'openai-chat', members: {} },
}

/** Free text, which some dialects have to wrap. */
const argumentsOf = (text: string, custom = false): unknown => {
  if (custom) return { input: text }
  const parsed = parsedJson(text || '{}')
  return parsed === undefined ? { arguments: text } : parsed
}

const signatureOf = ({ signature, encrypted }: Extract<Part, { kind: 'thinking' }>): string => {
  const text = signature ?? encrypted ?? ''
  const own = unwrapSignature(text)
  return own === undefined ? text : (own.signature ?? own.encrypted ?? '')
}

const carriedMark = Buffer.from('tollgate-thoughts').toString('base64').slice(0, 20)

const saidIn = (parts: readonly Part[]): unknown => ({
  text: parts.map((part) => (part.kind === 'text' || part.kind === 'refusal' ? part.text : '')).join(''),
  thinking: parts.map((part) => (part.kind === 'thinking' ? part.text : '')).join(''),
  signatures: parts
    .flatMap((part) => {
      if (part.kind === 'thinking') return [signatureOf(part)]
      // Thoughts of others travel there a second time.
      return part.kind === 'tool_call' && !part.signature?.startsWith(carriedMark) ? [part.signature ?? ''] : []
    })
    .join(''),
  calls: parts.flatMap((part) =>
    part.kind === 'tool_call' ? [[part.id, part.name, argumentsOf(part.arguments, part.custom)]] : [],
  ),
})

/** Only OpenAI counts sound and pictures apart, only Anthropic what is written to the cache, and only it and Anthropic know why an answer was withheld. */
const textOf = ({ choices, usage }: Answer): unknown => {
  const [choice] = choices
  const spent = usage ?? noUsage
  const { explicit_cache_read = 0, audio_cache_read = 0, image_cache_read = 0 } = spent.more ?? {}
  const cacheRead = spent.cacheRead + explicit_cache_read + audio_cache_read + image_cache_read
  const used = { input: promptTokens(spent) - cacheRead, output: completionTokens(spent), cacheRead }
  const withheld = choice?.finish === 'content_filter' || choice?.parts.some(({ kind }) => kind === 'refusal')
  // Some providers say `stop` where they call tools.
  const called = choice?.finish === 'stop' && choice.parts.some(({ kind }) => kind === 'tool_call')
  const finish = withheld ? 'refusal' : called ? 'tool_calls' : choice?.finish
  return { said: saidIn(choice?.parts ?? []), finish, used }
}

/** OpenAI has one word for both. */
const inWordsOf = (client: ClientDialect, answer: Answer): Answer =>
  client.name === 'anthropic'
    ? answer
    : {
        ...answer,
        choices: answer.choices.map((choice) => ({
          ...choice,
          finish: choice.finish === 'stop_sequence' || choice.finish === 'pause' ? 'stop' : choice.finish,
        })),
      }

const pairs = recordings.flatMap((recording) =>
  [...new Set(Object.values(speakers))].map(
    ({ client, upstream }) => [recording.id, client.name, recording, client, upstream] as const,
  ),
)

describe.skipIf(recordings.length === 0)('what a provider said', () => {
  it.each(pairs.filter(([, , { stream }]) => stream))(
    'is streamed whole: %s in %s',
    (_id, _name, recording, client, back) => {
      const events = readAll(upstreamOf(recording.format) ?? back, messagesIn(recording.response))
      if (events.some(({ kind }) => kind === 'error')) return
      const writer = client.openStream(conversation)
      const text = events.map((event) => writer.write(event)).join('')
      const again = readAll(
        back,
        text.split('\n\n').filter((message) => message !== ''),
      )
      expect(textOf(collect(again))).toEqual(textOf(inWordsOf(client, collect(events))))
      expect(again.filter(({ kind }) => kind === 'start')).toHaveLength(1)
      expect(again.filter(({ kind }) => kind === 'end')).toHaveLength(1)
    },
  )

  it.each(pairs.filter(([, , { stream }]) => !stream))(
    'is answered whole: %s in %s',
    (_id, _name, recording, client, back) => {
      const answer = (upstreamOf(recording.format) ?? back).readAnswer(recording.response.body ?? {})
      const again = back.readAnswer(client.writeAnswer(answer, conversation))
      const expected = textOf(inWordsOf(client, { ...answer, choices: answer.choices.slice(0, 1) }))
      expect(textOf({ ...again, choices: again.choices.slice(0, 1) })).toEqual(expected)
      expect(textOf(collect(eventsOf(answer)))).toEqual(textOf(answer))
    },
  )

  it.each(
    recordings.filter(({ request }) => request.body !== null).map((recording) => [recording.id, recording] as const),
  )('was requested with texts that survive: %s', (_id, recording) => {
    const speaker = speakers[recording.format]
    const body = recording.request.body ?? {}
    if (speaker === undefined) return
    const upstream =
      recording.format === 'openai.chat'
        ? openaiChat({
            thoughts: 'reasoning_details',
            effort: () => true,
            topK: true,
            cacheMarks: true,
            toolPictures: true,
            ownModels: false,
          })
        : speaker.upstream
    const options = { model: String(body.model ?? recording.model), stream: recording.stream }
    const read = speaker.client.readRequest(body, options)
    const again = speaker.client.readRequest(upstream.writeRequest(read, createUnsupportedFields()), options)
    expect(again.messages).toEqual(read.messages)
    expect(again.tools).toEqual(read.tools)
    expect(again.format).toEqual(read.format)
  })
})
