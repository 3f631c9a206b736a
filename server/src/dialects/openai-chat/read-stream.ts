import { usageFromOpenai, usageFromTimings } from '../../billing/usage-openai.ts'
import { failureInBaseResp } from '../base-resp.ts'
import type { Citation } from '../conversation/conversation.ts'
import { sourceOfUrl } from '../conversation/data-url.ts'
import {
  defined,
  isObject,
  type JsonObject,
  membersOf,
  numberIn,
  objectIn,
  objectsOf,
  textIn,
  textOf,
} from '../conversation/json.ts'
import { type StreamEvent, usageEvent } from '../conversation/stream-event.ts'
import type { StreamReader } from '../dialect.ts'
import { readCitation, readFinish, readSources } from './answer.ts'
import { makerOf, thoughtText } from './read-message.ts'
import { openStreamTier } from './stream-tier.ts'
import { statesStandard, toolsAtStart, withChatExtras } from './tools-used.ts'

const detailEvent = (detail: JsonObject, choice: number): StreamEvent => {
  const encrypted = detail.type === 'reasoning.encrypted' ? textOf(detail.data) : undefined
  const fields = { signature: textIn(detail.signature), encrypted, id: textIn(detail.id), by: makerOf(detail) }
  return { kind: 'thinking', choice, text: textOf(detail.text) || textOf(detail.summary), ...defined(fields) }
}

/** Reasoning comes as text, in OpenRouter's `reasoning_details`, or in both with the same text, which is read once. */
const thoughtEvents = (delta: JsonObject, choice: number): StreamEvent[] => {
  const reasoning = textOf(delta.reasoning_content) || textOf(delta.reasoning)
  const details = objectsOf(delta.reasoning_details).map((detail) => detailEvent(detail, choice))
  const hasNoText = details.every((event) => event.kind !== 'thinking' || event.text === '')
  return reasoning !== '' && hasNoText ? [{ kind: 'thinking', choice, text: reasoning }, ...details] : details
}

/** Content is a string, or Mistral's list of parts. */
const contentEvents = (content: unknown, choice: number, logprobs: unknown): StreamEvent[] => {
  if (Array.isArray(content)) {
    return objectsOf(content).map((part) => {
      const isThought = part.type === 'thinking'
      return { kind: isThought ? 'thinking' : 'text', choice, text: isThought ? thoughtText(part) : textOf(part.text) }
    })
  }
  const text = textOf(content)
  const extra = isObject(logprobs) && Array.isArray(logprobs.content) ? { logprobs } : {}
  return text === '' && !('logprobs' in extra) ? [] : [{ kind: 'text', choice, text, ...extra }]
}

/** Converts the deprecated `function_call` to an entry of `tool_calls`. */
const olderCall = ({ function_call: call }: JsonObject): JsonObject[] => {
  const { name, arguments: text } = membersOf(call)
  if (textOf(name) === '' && textOf(text) === '') return []
  return [
    { index: 0, ...(textOf(name) === '' ? {} : { id: `call_${textOf(name)}` }), function: { name, arguments: text } },
  ]
}

/** Tracks the started calls of a choice: some providers repeat ids and names, or leave out the index. */
const openCalls = () => {
  const begun = new Map<string, { index: number; id: string }>()
  let last = -1
  return (call: JsonObject, choice: number): StreamEvent[] => {
    const id = textOf(call.id)
    const target = isObject(call.custom) ? call.custom : membersOf(call.function)
    const name = textOf(target.name)
    const ownIndex = numberIn(call.index)
    const position = ownIndex ?? (id !== '' && begun.get(`${choice}:${last}`)?.id !== id ? last + 1 : Math.max(last, 0))
    const key = `${choice}:${position}`
    const existing = begun.get(key)
    const events: StreamEvent[] = []
    // Mistral and others reuse the index of the previous call; a new id starts a new call.
    const isNew = existing === undefined || (id !== '' && existing.id !== '' && existing.id !== id)
    const index = isNew ? last + 1 : existing.index
    if (isNew) {
      last = index
      begun.set(key, { index, id })
      const signature = textIn(membersOf(membersOf(call.extra_content).google).thought_signature)
      const custom = call.type === 'custom' ? (true as const) : undefined
      events.push({ kind: 'tool_call', choice, index, id, name, ...defined({ custom, signature }) })
    }
    const text = typeof target.arguments === 'string' ? target.arguments : textOf(target.input)
    if (text !== '') events.push({ kind: 'arguments', choice, index, text })
    if (isObject(target.arguments))
      events.push({ kind: 'arguments', choice, index, text: JSON.stringify(target.arguments) })
    return events
  }
}

const audioEvents = (audio: unknown, choice: number): StreamEvent[] => {
  if (!isObject(audio)) return []
  const fields = defined({ data: textIn(audio.data), transcript: textIn(audio.transcript), id: textIn(audio.id) })
  return Object.keys(fields).length === 0 ? [] : [{ kind: 'audio', choice, ...fields }]
}

/** Timings of the last chunk: earlier ones may have some, too, of the answer so far. */
const timingsAtEnd = ({ choices, timings }: JsonObject) =>
  objectsOf(choices).some(({ finish_reason: reason }) => textOf(reason) !== '') ? usageFromTimings(timings) : undefined

interface ChunkReader {
  read(chunk: JsonObject): StreamEvent[]
  /** Call for `[DONE]`. Finishes choices without a finish reason. */
  done(): StreamEvent[]
  /** Call when the connection ends. Leaves choices without a finish reason unfinished. */
  end(): StreamEvent[]
}

/** Reads parsed chunks: OpenAI's, or those of a provider after conversion to OpenAI's shape. */
export const openChunkReader = (): ChunkReader => {
  const calls = new Map<number, ReturnType<typeof openCalls>>()
  const called = new Set<number>()
  const finished = new Set<number>()
  const cited = new Set<number>()
  /** Sources, which every chunk repeats. They become citations when the choice finishes. */
  let sources: Citation[] = []
  let started = false
  const tier = openStreamTier()
  let ended = false

  const deltaEvents = (delta: JsonObject, choice: number, logprobs: unknown): StreamEvent[] => {
    const readCall = calls.get(choice) ?? openCalls()
    calls.set(choice, readCall)
    const refusal = textOf(delta.refusal)
    return [
      ...thoughtEvents(delta, choice),
      ...contentEvents(delta.content, choice, logprobs),
      ...(refusal === '' ? [] : [{ kind: 'refusal', choice, text: refusal } as const]),
      ...objectsOf(delta.annotations)
        .flatMap(readCitation)
        .map((citation) => ({ kind: 'citation', choice, citation }) as const),
      ...audioEvents(delta.audio, choice),
      ...objectsOf(delta.images).map((image) => {
        const source = sourceOfUrl(textOf(membersOf(image.image_url).url))
        return { kind: 'part', choice, part: { kind: 'image', source } } as const
      }),
      ...[...objectsOf(delta.tool_calls), ...olderCall(delta)].flatMap((call) => readCall(call, choice)),
    ]
  }

  const choiceEvents = (entry: JsonObject, position: number): StreamEvent[] => {
    const choice = numberIn(entry.index) ?? position
    const events = deltaEvents(membersOf(entry.delta), choice, entry.logprobs)
    if (events.some(({ kind }) => kind === 'tool_call')) called.add(choice)
    if (events.some(({ kind }) => kind === 'citation')) cited.add(choice)
    if (typeof entry.finish_reason !== 'string' || entry.finish_reason === '') return events
    finished.add(choice)
    const found = cited.has(choice) ? [] : sources.map((citation) => ({ kind: 'citation', choice, citation }) as const)
    cited.add(choice)
    return [...events, ...found, { kind: 'finish', choice, finish: readFinish(entry.finish_reason) }]
  }

  const startOf = (chunk: JsonObject): StreamEvent[] => {
    if (started) return []
    started = true
    const more = defined({
      fingerprint: textIn(chunk.system_fingerprint),
      serviceTier: textIn(chunk.service_tier),
      tools: toolsAtStart(chunk),
    })
    const { id, model, created } = chunk
    return [{ kind: 'start', id: textOf(id), model: textOf(model), created: numberIn(created) ?? 0, ...more }]
  }

  const end = (): StreamEvent[] => {
    if (ended) return []
    ended = true
    return [{ kind: 'end' }]
  }

  /** A stream with `[DONE]` is complete, even if a choice has no finish reason. */
  const done = (): StreamEvent[] => [
    ...[...calls.keys()]
      .filter((choice) => !finished.has(choice))
      .map((choice) => ({ kind: 'finish', choice, finish: called.has(choice) ? 'tool_calls' : 'stop' }) as const),
    ...end(),
  ]

  /** OpenRouter reports errors beside choices. After a finish reason they are ignored. */
  const failure = (chunk: JsonObject): StreamEvent[] => {
    const { error } = chunk
    if (!isObject(error) || (Array.isArray(chunk.choices) && (finished.size > 0 || textOf(error.message) === '')))
      return []
    const { type, message, code } = error
    const fields = defined({ code: code === null || code === undefined ? undefined : String(code) })
    return [{ kind: 'error', type: textOf(type) || 'upstream_error', message: textOf(message), ...fields, own: error }]
  }

  return {
    read(chunk) {
      const failed = failure(chunk)
      if (failed.length > 0) return failed
      const stated = usageFromOpenai(chunk.usage) ?? usageFromOpenai(membersOf(chunk.x_groq).usage)
      const reported = stated ?? (chunk.timings === undefined ? undefined : timingsAtEnd(chunk))
      tier.note(chunk.service_tier)
      tier.note(membersOf(chunk.usage).service_tier)
      const usage = tier.withTier(withChatExtras(reported, chunk))
      if (chunk.citations !== undefined || chunk.search_results !== undefined) sources = readSources(chunk)
      return [
        ...startOf(chunk),
        ...objectsOf(chunk.choices).flatMap(choiceEvents),
        ...(usage === undefined ? [] : [usageEvent(usage, usage.tier === undefined && statesStandard(chunk))]),
      ]
    },
    done,
    end,
  }
}

/** Reads chat completion chunks (platform.openai.com/docs/api-reference/chat-streaming). */
export const openReader = (): StreamReader => {
  const chunks = openChunkReader()
  return {
    read(data) {
      if (data === '[DONE]') return chunks.done()
      const chunk = objectIn(data)
      if (chunk === undefined) return []
      const failed = failureInBaseResp(chunk)
      return failed === undefined ? chunks.read(chunk) : [{ kind: 'error', type: 'upstream_error', ...failed }]
    },
    end: chunks.end,
  }
}
