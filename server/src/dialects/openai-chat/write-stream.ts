import { dataEvent } from '../../lib/sse.ts'
import type { Conversation } from '../conversation/conversation.ts'
import { dataUrl } from '../conversation/data-url.ts'
import { defined, type JsonObject } from '../conversation/json.ts'
import { type StreamEvent, standsAlone } from '../conversation/stream-event.ts'
import type { StreamWriter } from '../dialect.ts'
import { writeCitation, writeFinish } from './answer.ts'
import { writeUsage } from './usage.ts'
import { reasoningDetails } from './write-messages.ts'

type Event<K extends StreamEvent['kind']> = Extract<StreamEvent, { kind: K }>

/**
 * Writes reasoning twice: as text, and as OpenRouter's `reasoning_details`, because providers want the signed details back in the
 * next turn.
 */
const openThoughts = () => {
  let isOpen = false
  let index = 0
  return (event: Event<'thinking'>): JsonObject => {
    const { kind: _kind, choice: _choice, ...part } = event
    if (isOpen && standsAlone(event)) index += 1
    const details = { reasoning_details: reasoningDetails(part, index) }
    isOpen = part.signature === undefined && part.encrypted === undefined
    if (!isOpen) index += 1
    return part.text === '' ? details : { reasoning_content: part.text, ...details }
  }
}

/** The state of one choice. */
interface OpenChoice {
  hasRole: boolean
  readonly think: ReturnType<typeof openThoughts>
  readonly customCalls: Set<number>
  /** Calls without arguments so far. They end with `{}`, because clients parse arguments as JSON. */
  readonly bareCalls: Set<number>
}

/** Writes chat completion chunks. If the client requested usage, a chunk before the end mark reports it. */
export const openWriter = ({ streamUsage, model }: Conversation): StreamWriter => {
  let head: JsonObject = { id: '', object: 'chat.completion.chunk', created: 0, model }
  const choices = new Map<number, OpenChoice>()
  let usage: JsonObject | undefined

  const of = (choice: number): OpenChoice => {
    const existing = choices.get(choice)
    if (existing !== undefined) return existing
    const fresh = {
      hasRole: false,
      think: openThoughts(),
      customCalls: new Set<number>(),
      bareCalls: new Set<number>(),
    }
    choices.set(choice, fresh)
    return fresh
  }

  const chunk = (entries: readonly JsonObject[], more: JsonObject = {}): string =>
    dataEvent(JSON.stringify({ ...head, choices: entries, ...more }))

  const delta = (
    index: number,
    fields: JsonObject,
    more: { logprobs?: unknown; finish?: string | null } = {},
  ): string => {
    const { logprobs = null, finish = null } = more
    const choice = of(index)
    const role = choice.hasRole ? {} : { role: 'assistant' }
    choice.hasRole = true
    return chunk([{ index, delta: { ...role, ...fields }, logprobs, finish_reason: finish }])
  }

  const callDelta = ({ choice, index, id, name, custom, signature }: Event<'tool_call'>): string => {
    const fields = custom
      ? { type: 'custom', custom: { name, input: '' } }
      : { type: 'function', function: { name, arguments: '' } }
    const extra = signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } }
    const { customCalls, bareCalls } = of(choice)
    const calls = custom ? customCalls : bareCalls
    calls.add(index)
    return delta(choice, { tool_calls: [{ index, id, ...fields, ...extra }] })
  }

  const argumentsDelta = ({ choice, index, text }: Event<'arguments'>): string => {
    if (text !== '') of(choice).bareCalls.delete(index)
    const fields = of(choice).customCalls.has(index) ? { custom: { input: text } } : { function: { arguments: text } }
    return delta(choice, { tool_calls: [{ index, ...fields }] })
  }

  const emptyArguments = (choice: number): string =>
    [...of(choice).bareCalls].map((index) => argumentsDelta({ kind: 'arguments', choice, index, text: '{}' })).join('')

  const imageDelta = ({ part, choice }: Event<'part'>): string => {
    if (part.kind !== 'image' || part.source.kind === 'file') return ''
    const url = part.source.kind === 'url' ? part.source.url : dataUrl(part.source)
    return delta(choice, { images: [{ type: 'image_url', image_url: { url } }] })
  }

  const begin = ({ id, created, fingerprint, serviceTier, model: named }: Event<'start'>): void => {
    const more = defined({ system_fingerprint: fingerprint, service_tier: serviceTier })
    head = { id, object: 'chat.completion.chunk', created, model: named || model, ...more }
  }

  const failed = ({ message, type, code }: Event<'error'>): string =>
    dataEvent(JSON.stringify({ error: { message, type, param: null, code: code ?? null } }))

  const write = (event: StreamEvent): string => {
    switch (event.kind) {
      case 'start':
        begin(event)
        return ''
      case 'text':
        return delta(event.choice, { content: event.text }, { logprobs: event.logprobs })
      case 'refusal':
        return delta(event.choice, { refusal: event.text })
      case 'thinking':
        return delta(event.choice, of(event.choice).think(event))
      case 'tool_call':
        return callDelta(event)
      case 'arguments':
        return argumentsDelta(event)
      case 'citation':
        return delta(event.choice, { annotations: [writeCitation(event.citation)] })
      case 'part':
        return imageDelta(event)
      case 'audio': {
        const { kind: _kind, choice, ...audio } = event
        return delta(choice, { audio })
      }
      case 'finish':
        return emptyArguments(event.choice) + delta(event.choice, {}, { finish: writeFinish(event.finish) })
      case 'usage':
        usage = writeUsage(event.usage)
        return ''
      case 'error':
        return failed(event)
      case 'end':
        return (streamUsage && usage !== undefined ? chunk([], { usage }) : '') + dataEvent('[DONE]')
    }
  }

  return { write }
}
