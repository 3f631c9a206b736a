import type { Usage } from '../../billing/usage.ts'
import type { Citation } from '../conversation/conversation.ts'
import {
  defined,
  isObject,
  type JsonObject,
  membersOf,
  numberIn,
  objectIn,
  parsedJson,
  textIn,
  textOf,
} from '../conversation/json.ts'
import type { StreamEvent } from '../conversation/stream-event.ts'
import type { StreamReader } from '../dialect.ts'
import { explanationIn, messageUsage, readFinish } from './answer.ts'
import { readCitation } from './blocks.ts'
import { statesStandard } from './tools-used.ts'

const choice = 0

interface OpenBlock {
  readonly type: string
  /** Index of the call in the answer; -1 if the block is no call. */
  readonly call: number
  /** A block that only this dialect has, and its input so far. */
  readonly opaque: JsonObject | undefined
  /** The input of a call that came complete at its start, as some compatible providers send it. */
  readonly whole: string
  input: string
  /** Offset of its text in the answer, and its citations, which may come after the text. */
  readonly start: number
  readonly citations: Citation[]
}

/** Merges usage reports: a later one replaces only the fields that it has. */
const merged = (before: JsonObject, now: unknown): JsonObject =>
  isObject(now)
    ? { ...before, ...Object.fromEntries(Object.entries(now).filter(([, value]) => value !== null)) }
    : before

/** Reads the events of a message (docs.anthropic.com/en/docs/build-with-claude/streaming). */
export const openReader = (): StreamReader => {
  const blocks = new Map<number, OpenBlock>()
  let calls = 0
  let offset = 0
  let usage: JsonObject = {}
  /** Blocks of tools that run at the provider. */
  const served: JsonObject[] = []
  let ended = false

  const textEvents = (text: string): StreamEvent[] => {
    offset += text.length
    return [{ kind: 'text', choice, text }]
  }

  const citationEvents = ({ start, citations }: OpenBlock): StreamEvent[] =>
    citations.map((citation) => ({ kind: 'citation', choice, citation: { ...citation, start, end: offset } }))

  const begin = (index: number, block: JsonObject): StreamEvent[] => {
    const type = textOf(block.type)
    if (type === 'server_tool_use') served.push({ type, name: block.name })
    const isCall = type === 'tool_use'
    const plain = isCall || type === 'text' || type === 'thinking' || type === 'redacted_thinking'
    const whole = isCall && Object.keys(membersOf(block.input)).length > 0 ? JSON.stringify(block.input) : ''
    const opaque = plain ? undefined : block
    blocks.set(index, { type, call: isCall ? calls : -1, opaque, whole, input: '', start: offset, citations: [] })
    if (isCall) {
      calls += 1
      return [{ kind: 'tool_call', choice, index: calls - 1, id: textOf(block.id), name: textOf(block.name) }]
    }
    if (type === 'redacted_thinking')
      return [{ kind: 'thinking', choice, text: '', encrypted: textOf(block.data), by: 'anthropic' }]
    if (type === 'text' && textOf(block.text) !== '') return textEvents(textOf(block.text))
    if (type !== 'thinking' || textOf(block.thinking) === '') return []
    const signature = textIn(block.signature) || undefined
    const signed = signature === undefined ? {} : ({ by: 'anthropic', signature } as const)
    return [{ kind: 'thinking', choice, text: textOf(block.thinking), ...signed }]
  }

  const inputDelta = (block: OpenBlock | undefined, text: string): StreamEvent[] => {
    if (block === undefined || text === '') return []
    block.input += text
    return block.call < 0 ? [] : [{ kind: 'arguments', choice, index: block.call, text }]
  }

  const delta = (index: number, fields: JsonObject): StreamEvent[] => {
    switch (fields.type) {
      case 'text_delta':
        return textEvents(textOf(fields.text))
      case 'thinking_delta':
        return [{ kind: 'thinking', choice, text: textOf(fields.thinking) }]
      case 'signature_delta':
        return fields.signature
          ? [{ kind: 'thinking', choice, text: '', signature: textOf(fields.signature), by: 'anthropic' }]
          : []
      case 'input_json_delta':
        return inputDelta(blocks.get(index), textOf(fields.partial_json))
      case 'citations_delta':
        blocks.get(index)?.citations.push(readCitation(membersOf(fields.citation)))
        return []
      default:
        return []
    }
  }

  const wholeInput = (block: OpenBlock | undefined): StreamEvent[] =>
    block === undefined || block.whole === '' || block.input !== ''
      ? []
      : [{ kind: 'arguments', choice, index: block.call, text: block.whole }]

  const stop = (index: number): StreamEvent[] => {
    const block = blocks.get(index)
    blocks.delete(index)
    if (block?.opaque === undefined)
      return [...wholeInput(block), ...(block === undefined ? [] : citationEvents(block))]
    const input = block.input === '' ? undefined : parsedJson(block.input)
    const value = input === undefined ? block.opaque : { ...block.opaque, input }
    return [{ kind: 'part', choice, part: { kind: 'opaque', dialect: 'anthropic', type: block.type, value } }]
  }

  const usageEvent = (more?: { readonly isOpening: true }): StreamEvent[] => {
    const read: Usage | undefined = messageUsage({ usage, content: served })
    const standard = statesStandard(usage) ? ({ isStandard: true } as const) : {}
    return read === undefined ? [] : [{ kind: 'usage', usage: read, ...standard, ...more }]
  }

  const start = (message: JsonObject): StreamEvent[] => {
    usage = merged({}, message.usage)
    const serviceTier = textIn(membersOf(message.usage).service_tier)
    const head = { id: textOf(message.id), model: textOf(message.model), created: 0, ...defined({ serviceTier }) }
    return [{ kind: 'start', ...head }, ...usageEvent({ isOpening: true })]
  }

  const finish = (event: JsonObject): StreamEvent[] => {
    usage = merged(usage, event.usage)
    const { stop_reason: reason, stop_sequence: sequence } = membersOf(event.delta)
    const stop = defined({ stopSequence: textIn(sequence), explanation: explanationIn(membersOf(event.delta)) })
    const finished: StreamEvent[] =
      typeof reason === 'string' ? [{ kind: 'finish', choice, finish: readFinish(reason), ...stop }] : []
    return [...finished, ...usageEvent()]
  }

  const end = (): StreamEvent[] => {
    if (ended) return []
    ended = true
    return [{ kind: 'end' }]
  }

  return {
    read(data) {
      const event = objectIn(data)
      if (event === undefined) return []
      const index = numberIn(event.index) ?? 0
      switch (event.type) {
        case 'message_start':
          return start(membersOf(event.message))
        case 'content_block_start':
          return begin(index, membersOf(event.content_block))
        case 'content_block_delta':
          return delta(index, membersOf(event.delta))
        case 'content_block_stop':
          return stop(index)
        case 'message_delta':
          return finish(event)
        case 'message_stop':
          return end()
        case 'error': {
          const own = membersOf(event.error)
          return [{ kind: 'error', type: textOf(own.type) || 'api_error', message: textOf(own.message), own }]
        }
        default:
          return []
      }
    },
    end,
  }
}
