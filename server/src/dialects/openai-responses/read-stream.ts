import {
  defined,
  isObject,
  type JsonObject,
  listOf,
  membersOf,
  numberIn,
  parsedJson,
  textIn,
  textOf,
} from '../conversation/json.ts'
import { logprobsOf } from '../conversation/logprobs.ts'
import { type StreamEvent, usageEvent } from '../conversation/stream-event.ts'
import type { StreamReader } from '../dialect.ts'
import { failureInEvent, readFinish } from './answer.ts'
import { readCitation } from './content.ts'
import { readItem } from './items.ts'
import { responseUsage, statesStandard } from './tools-used.ts'

const choice = 0

/** Reads the events of a response (platform.openai.com/docs/api-reference/responses-streaming). */
export const openReader = (): StreamReader => {
  /** Output index → index of the call. */
  const calls = new Map<number, number>()
  /** Output indexes of items that sent deltas. */
  const streamed = new Set<number>()
  let started = false
  let ended = false
  let offset = 0
  /** Offset of the current part in the text. */
  let before = 0

  const start = (response: JsonObject): StreamEvent[] => {
    if (started) return []
    started = true
    const { id, model, created_at: created } = response
    const serviceTier = defined({ serviceTier: textIn(response.service_tier) })
    const fields = { id: textOf(id), model: textOf(model), created: Math.floor(numberIn(created) ?? 0), ...serviceTier }
    return [{ kind: 'start', ...fields }]
  }

  const begin = (index: number, item: JsonObject): StreamEvent[] => {
    if (item.type !== 'function_call' && item.type !== 'custom_tool_call') return []
    const number = calls.size
    calls.set(index, number)
    const custom = item.type === 'custom_tool_call' ? (true as const) : undefined
    const more = defined({ custom, namespace: textIn(item.namespace) })
    const call = { id: textOf(item.call_id), name: textOf(item.name), ...more }
    return [{ kind: 'tool_call', choice, index: number, ...call }]
  }

  const contentEvents = (index: number, event: StreamEvent): StreamEvent[] => {
    streamed.add(index)
    return [event]
  }

  const callDelta = (index: number, text: string): StreamEvent[] => {
    const number = calls.get(index)
    return number === undefined || text === ''
      ? []
      : contentEvents(index, { kind: 'arguments', choice, index: number, text })
  }

  /** Reads from the complete item what no delta has sent. */
  const done = (index: number, item: JsonObject): StreamEvent[] => {
    const { parts } = readItem(item)
    if (item.type === 'reasoning') {
      const [part] = parts
      if (part?.kind !== 'thinking') return []
      const text = streamed.has(index) ? '' : part.text
      return text === '' && part.encrypted === undefined && part.signature === undefined
        ? []
        : [{ ...part, choice, text }]
    }
    if (streamed.has(index)) return []
    // Some providers send the whole item only.
    const begun = calls.has(index) ? [] : begin(index, item)
    const rest = parts.flatMap((part): StreamEvent[] => {
      if (part.kind === 'refusal') return [{ kind: 'refusal', choice, text: part.text }]
      if (part.kind === 'text') {
        const citations = (part.citations ?? []).map((citation) => ({ kind: 'citation', choice, citation }) as const)
        return [{ kind: 'text', choice, text: part.text }, ...citations]
      }
      if (part.kind === 'opaque') return [{ kind: 'part', choice, part }]
      return part.kind === 'tool_call' ? callDelta(index, part.arguments) : []
    })
    return [...begun, ...rest]
  }

  const finish = (response: JsonObject): StreamEvent[] => {
    if (ended) return []
    ended = true
    const usage = responseUsage(response)
    return [
      { kind: 'finish', choice, finish: readFinish(response, calls.size > 0) },
      ...(usage === undefined ? [] : [usageEvent(usage, statesStandard(response))]),
      { kind: 'end' },
    ]
  }

  const failed = (error: JsonObject): StreamEvent[] => [
    {
      kind: 'error',
      // The event itself has a type, too.
      type: (error.type === 'error' ? '' : textOf(error.type)) || 'server_error',
      message: textOf(error.message),
      ...defined({ code: textIn(error.code) }),
      own: error,
    },
  ]

  return {
    read(data) {
      const event = parsedJson(data)
      if (!isObject(event)) return []
      const index = numberIn(event.output_index) ?? 0
      const text = textOf(event.delta)
      switch (event.type) {
        case 'response.created':
        case 'response.in_progress':
          return start(membersOf(event.response))
        case 'response.content_part.added':
          before = offset
          return []
        case 'response.output_item.added':
          return begin(index, membersOf(event.item))
        case 'response.output_item.done':
          return done(index, membersOf(event.item))
        case 'response.output_text.delta':
          offset += text.length
          return contentEvents(index, {
            kind: 'text',
            choice,
            text,
            ...defined({ logprobs: logprobsOf(listOf(event.logprobs)) }),
          })
        case 'response.refusal.delta':
          offset += text.length
          return contentEvents(index, { kind: 'refusal', choice, text })
        case 'response.reasoning_summary_text.delta':
        case 'response.reasoning_text.delta':
          return contentEvents(index, { kind: 'thinking', choice, text })
        case 'response.reasoning_summary_part.added':
          return streamed.has(index) ? [{ kind: 'thinking', choice, text: '\n\n' }] : []
        case 'response.function_call_arguments.delta':
        case 'response.custom_tool_call_input.delta':
          return callDelta(index, text)
        case 'response.output_text.annotation.added':
          return [{ kind: 'citation', choice, citation: readCitation(membersOf(event.annotation), before) }]
        case 'response.completed':
        case 'response.incomplete':
          return [...start(membersOf(event.response)), ...finish(membersOf(event.response))]
        case 'response.failed':
          return failed(failureInEvent(event))
        case 'error':
          return failed(failureInEvent(event))
        default:
          return []
      }
    },
    end: () => {
      if (ended) return []
      ended = true
      return [{ kind: 'end' }]
    },
  }
}
