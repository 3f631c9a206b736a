import { usageFromOpenai } from '../../billing/usage-openai.ts'
import { sourceOfUrl } from '../data-url.ts'
import type { StreamReader } from '../dialect.ts'
import { given, isObject, type Members, membersOf, numberIn, objectsOf, parsedJson, textIn, textOf } from '../json.ts'
import type { StreamEvent } from '../stream-event.ts'
import { readCitation, readFinish } from './answer.ts'
import { makerOf } from './read-message.ts'

/**
 * Thoughts come as text, in OpenRouter's list, or both. A list with every piece repeats the piece; one that comes last repeats
 * all that was heard.
 */
const openThoughts = () => {
  let heard = ''
  const detailEvent = (detail: Members, choice: number, said: string): StreamEvent => {
    const all = textOf(detail.text) || textOf(detail.summary)
    const text = all === '' || (heard + said).endsWith(all) ? said : all
    heard = ''
    const encrypted = detail.type === 'reasoning.encrypted' ? textOf(detail.data) : undefined
    const its = { signature: textIn(detail.signature), encrypted, id: textIn(detail.id), by: makerOf(detail) }
    return { kind: 'thinking', choice, text, ...given(its) }
  }
  return (delta: Members, choice: number): StreamEvent[] => {
    const details = objectsOf(delta.reasoning_details)
    const said = textOf(delta.reasoning_content) || textOf(delta.reasoning)
    if (details.length > 1) return details.map((detail) => detailEvent(detail, choice, ''))
    const [detail] = details
    if (detail !== undefined) return [detailEvent(detail, choice, said)]
    heard += said
    return said === '' ? [] : [{ kind: 'thinking', choice, text: said }]
  }
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

/** Reads chunks that are parsed already: OpenAI's, or a provider's own that were put into OpenAI's words. */
export const openChunkReader = (): { read(chunk: Members): StreamEvent[]; end(): StreamEvent[] } => {
  const choices = new Map<number, { calls: ReturnType<typeof openCalls>; thoughts: ReturnType<typeof openThoughts> }>()
  let started = false
  let ended = false

  const deltaEvents = (delta: Members, choice: number, logprobs: unknown): StreamEvent[] => {
    const known = choices.get(choice) ?? { calls: openCalls(), thoughts: openThoughts() }
    choices.set(choice, known)
    const content = textOf(delta.content)
    const refusal = textOf(delta.refusal)
    const extra = isObject(logprobs) ? { logprobs } : {}
    return [
      ...known.thoughts(delta, choice),
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
      ...objectsOf(delta.tool_calls).flatMap((call) => known.calls(call, choice)),
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
    read(chunk) {
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

/** Reads chat completion chunks (platform.openai.com/docs/api-reference/chat-streaming). */
export const openReader = (): StreamReader => {
  const chunks = openChunkReader()
  return {
    read(data) {
      if (data === '[DONE]') return chunks.end()
      const chunk = parsedJson(data)
      return isObject(chunk) ? chunks.read(chunk) : []
    },
    end: chunks.end,
  }
}
