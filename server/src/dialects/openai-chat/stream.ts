import { usageFromOpenai } from '../../billing/usage-openai.ts'
import { dataEvent } from '../../lib/sse.ts'
import type { Conversation } from '../conversation.ts'
import { dataUrl, sourceOfUrl } from '../data-url.ts'
import type { StreamReader, StreamWriter } from '../dialect.ts'
import { given, isObject, type Members, membersOf, numberIn, objectsOf, parsedJson, textIn, textOf } from '../json.ts'
import type { StreamEvent } from '../stream-event.ts'
import { readCitation, readFinish, writeCitation, writeFinish } from './answer.ts'
import { makerOf } from './read-message.ts'
import { writeUsage } from './usage.ts'
import { reasoningDetail } from './write-messages.ts'

const thoughtEvents = (delta: Members, choice: number): StreamEvent[] => {
  const details = objectsOf(delta.reasoning_details)
  if (details.length > 0) {
    return details.map((detail) => ({
      kind: 'thinking',
      choice,
      text: textOf(detail.text) || textOf(detail.summary),
      ...given({
        signature: textIn(detail.signature),
        encrypted: detail.type === 'reasoning.encrypted' ? textOf(detail.data) : undefined,
        id: textIn(detail.id),
        by: makerOf(detail),
      }),
    }))
  }
  const text = textOf(delta.reasoning_content) || textOf(delta.reasoning)
  return text === '' ? [] : [{ kind: 'thinking', choice, text }]
}

/** Remembers which calls of a choice have begun: providers repeat ids and names, or leave out the index. */
const openCalls = () => {
  const begun = new Map<string, { index: number; id: string }>()
  let last = -1
  return (call: Members, choice: number): StreamEvent[] => {
    const id = textOf(call.id)
    const its = isObject(call.custom) ? call.custom : membersOf(call.function)
    const name = textOf(its.name)
    const given_ = numberIn(call.index)
    const position = given_ ?? (id !== '' && begun.get(`${choice}:${last}`)?.id !== id ? last + 1 : Math.max(last, 0))
    const key = `${choice}:${position}`
    const known = begun.get(key)
    const events: StreamEvent[] = []
    // Mistral and others start a new call under the index of the one before.
    const isNew = known === undefined || (id !== '' && known.id !== '' && known.id !== id)
    const index = isNew ? last + 1 : known.index
    if (isNew) {
      last = index
      begun.set(key, { index, id })
      const signature = textIn(membersOf(membersOf(call.extra_content).google).thought_signature)
      const custom = call.type === 'custom' ? (true as const) : undefined
      events.push({ kind: 'tool_call', choice, index, id, name, ...given({ custom, signature }) })
    }
    const text = typeof its.arguments === 'string' ? its.arguments : textOf(its.input)
    if (text !== '') events.push({ kind: 'arguments', choice, index, text })
    if (isObject(its.arguments)) events.push({ kind: 'arguments', choice, index, text: JSON.stringify(its.arguments) })
    return events
  }
}

const audioEvents = (audio: unknown, choice: number): StreamEvent[] => {
  if (!isObject(audio)) return []
  const its = given({ data: textIn(audio.data), transcript: textIn(audio.transcript), id: textIn(audio.id) })
  return Object.keys(its).length === 0 ? [] : [{ kind: 'audio', choice, ...its }]
}

/** Reads chat completion chunks (platform.openai.com/docs/api-reference/chat-streaming). */
export const openReader = (): StreamReader => {
  const callsOf = new Map<number, ReturnType<typeof openCalls>>()
  let started = false
  let ended = false

  const deltaEvents = (delta: Members, choice: number, logprobs: unknown): StreamEvent[] => {
    const calls = callsOf.get(choice) ?? openCalls()
    callsOf.set(choice, calls)
    const content = textOf(delta.content)
    const refusal = textOf(delta.refusal)
    const extra = isObject(logprobs) ? { logprobs } : {}
    return [
      ...thoughtEvents(delta, choice),
      ...(content === '' && !('logprobs' in extra) ? [] : [{ kind: 'text', choice, text: content, ...extra } as const]),
      ...(refusal === '' ? [] : [{ kind: 'refusal', choice, text: refusal } as const]),
      ...objectsOf(delta.annotations)
        .flatMap(readCitation)
        .map((citation) => ({ kind: 'citation', choice, citation }) as const),
      ...audioEvents(delta.audio, choice),
      ...objectsOf(delta.images).map((image) => {
        const source = sourceOfUrl(textOf(membersOf(image.image_url).url))
        return { kind: 'part', choice, part: { kind: 'image', source } } as const
      }),
      ...objectsOf(delta.tool_calls).flatMap((call) => calls(call, choice)),
    ]
  }

  const choiceEvents = (entry: Members, position: number): StreamEvent[] => {
    const choice = numberIn(entry.index) ?? position
    const events = deltaEvents(membersOf(entry.delta), choice, entry.logprobs)
    if (typeof entry.finish_reason !== 'string' || entry.finish_reason === '') return events
    return [...events, { kind: 'finish', choice, finish: readFinish(entry.finish_reason) }]
  }

  const startOf = (chunk: Members): StreamEvent[] => {
    if (started) return []
    started = true
    const more = given({ fingerprint: textIn(chunk.system_fingerprint), serviceTier: textIn(chunk.service_tier) })
    const { id, model, created } = chunk
    return [{ kind: 'start', id: textOf(id), model: textOf(model), created: numberIn(created) ?? 0, ...more }]
  }

  const finish = (): StreamEvent[] => {
    if (ended) return []
    ended = true
    return [{ kind: 'end' }]
  }

  return {
    read(data) {
      if (data === '[DONE]') return finish()
      const chunk = parsedJson(data)
      if (!isObject(chunk)) return []
      if (isObject(chunk.error) && !Array.isArray(chunk.choices)) {
        const { type, message, code } = chunk.error
        const its = given({ code: code === null || code === undefined ? undefined : String(code) })
        return [{ kind: 'error', type: textOf(type) || 'upstream_error', message: textOf(message), ...its }]
      }
      const usage = usageFromOpenai(chunk.usage) ?? usageFromOpenai(membersOf(chunk.x_groq).usage)
      return [
        ...startOf(chunk),
        ...objectsOf(chunk.choices).flatMap(choiceEvents),
        ...(usage === undefined ? [] : [{ kind: 'usage', usage } as const]),
      ]
    },
    end: finish,
  }
}

/** Prints chat completion chunks. The usage comes in a chunk of its own, before the end mark, when the client asked. */
export const openWriter = ({ streamUsage, model }: Conversation): StreamWriter => {
  let head: Members = { id: '', object: 'chat.completion.chunk', created: 0, model }
  const spoken = new Set<number>()
  let usage: Members | undefined

  const chunk = (choices: readonly Members[], more: Members = {}): string =>
    dataEvent(JSON.stringify({ ...head, choices, ...more }))

  const delta = (choice: number, its: Members, logprobs?: unknown): string => {
    const role = spoken.has(choice) ? {} : { role: 'assistant' }
    spoken.add(choice)
    return chunk([{ index: choice, delta: { ...role, ...its }, logprobs: logprobs ?? null, finish_reason: null }])
  }

  const callDelta = (event: Extract<StreamEvent, { kind: 'tool_call' }>): string => {
    const { choice, index, id, name, custom, signature } = event
    const its = custom
      ? { type: 'custom', custom: { name, input: '' } }
      : { type: 'function', function: { name, arguments: '' } }
    const extra = signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } }
    if (custom) customCalls.add(`${choice}:${index}`)
    return delta(choice, { tool_calls: [{ index, id, ...its, ...extra }] })
  }
  const customCalls = new Set<string>()

  const write = (event: StreamEvent): string => {
    switch (event.kind) {
      case 'start': {
        const { id, created, fingerprint, serviceTier } = event
        const more = given({ system_fingerprint: fingerprint, service_tier: serviceTier })
        head = { id, object: 'chat.completion.chunk', created, model: event.model || model, ...more }
        return ''
      }
      case 'text':
        return delta(event.choice, { content: event.text }, event.logprobs)
      case 'refusal':
        return delta(event.choice, { refusal: event.text })
      case 'thinking': {
        const { choice, kind, ...part } = event
        const signed = part.signature !== undefined || part.encrypted !== undefined
        return delta(choice, {
          ...(part.text === '' && signed ? {} : { reasoning_content: part.text }),
          ...(signed ? { reasoning_details: [reasoningDetail(part, 0)] } : {}),
        })
      }
      case 'tool_call':
        return callDelta(event)
      case 'arguments': {
        const { choice, index, text } = event
        const its = customCalls.has(`${choice}:${index}`)
          ? { custom: { input: text } }
          : { function: { arguments: text } }
        return delta(choice, { tool_calls: [{ index, ...its }] })
      }
      case 'citation':
        return delta(event.choice, { annotations: [writeCitation(event.citation)] })
      case 'part': {
        const { part, choice } = event
        if (part.kind !== 'image' || part.source.kind === 'file') return ''
        const url = part.source.kind === 'url' ? part.source.url : dataUrl(part.source)
        return delta(choice, { images: [{ type: 'image_url', image_url: { url } }] })
      }
      case 'audio': {
        const { kind: _kind, choice, ...audio } = event
        return delta(choice, { audio })
      }
      case 'finish':
        return chunk([{ index: event.choice, delta: {}, logprobs: null, finish_reason: writeFinish(event.finish) }])
      case 'usage':
        usage = writeUsage(event.usage)
        return ''
      case 'error':
        return dataEvent(
          JSON.stringify({
            error: { message: event.message, type: event.type, param: null, code: event.code ?? null },
          }),
        )
      case 'end':
        return (streamUsage && usage !== undefined ? chunk([], { usage }) : '') + dataEvent('[DONE]')
    }
  }

  return { write }
}
