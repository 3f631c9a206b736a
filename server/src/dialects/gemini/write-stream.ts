import { noUsage } from '../../billing/usage.ts'
import { dataEvent } from '../../lib/sse.ts'
import type { Citation, Conversation, Part, ToolCallPart } from '../conversation/conversation.ts'
import { defined, type JsonObject } from '../conversation/json.ts'
import type { StreamEvent } from '../conversation/stream-event.ts'
import type { StreamWriter } from '../dialect.ts'
import { answerPart, writeFinish, writeUsage } from './answer.ts'
import { createThoughtCarrier } from './carried-thoughts.ts'
import { writeCitations } from './grounding.ts'
import { writeLogprobs } from './logprobs.ts'

type Event<K extends StreamEvent['kind']> = Extract<StreamEvent, { kind: K }>

/** The state of one choice. */
interface OpenChoice {
  /** Incomplete calls by index. */
  readonly calls: Map<number, ToolCallPart>
  readonly carrier: ReturnType<typeof createThoughtCarrier>
  /** All text so far; citations refer to it. */
  text: string
  readonly citations: Citation[]
  refused: boolean
  finish: string | undefined
  explanation: string | undefined
}

/** Writes a generateContent stream. Calls are written once complete; the last chunk has finish reasons and usage. */
export const openWriter = ({ model }: Conversation): StreamWriter => {
  let head: JsonObject = { modelVersion: model, responseId: '' }
  let usage = noUsage
  const choices = new Map<number, OpenChoice>()

  const of = (choice: number): OpenChoice => {
    const existing = choices.get(choice)
    if (existing !== undefined) return existing
    const calls = new Map<number, ToolCallPart>()
    const fresh = {
      calls,
      carrier: createThoughtCarrier(),
      text: '',
      citations: [],
      refused: false,
      finish: undefined,
      explanation: undefined,
    }
    choices.set(choice, fresh)
    return fresh
  }

  const piece = (index: number, parts: readonly JsonObject[], more: JsonObject = {}): string =>
    dataEvent(JSON.stringify({ candidates: [{ content: { role: 'model', parts }, ...more, index }], ...head }))

  const partEvent = (choice: number, part: Part, logprobs?: unknown): string => {
    const parts = answerPart(part)
    const more = writeLogprobs(logprobs)
    return parts.length === 0 && Object.keys(more).length === 0 ? '' : piece(choice, parts, more)
  }

  const flush = (choice: number): string => {
    const { calls } = of(choice)
    const text = [...calls.values()].map((call) => partEvent(choice, call)).join('')
    calls.clear()
    return text
  }

  const say = (choice: number, part: Part, logprobs?: unknown): string =>
    flush(choice) + partEvent(choice, part, logprobs)

  const begin = ({ choice, index, id, name, custom, signature: own }: Event<'tool_call'>): void => {
    const { calls, carrier } = of(choice)
    const signature = own ?? carrier.take()
    calls.set(index, { kind: 'tool_call', id, name, arguments: '', ...defined({ custom, signature }) })
  }

  const argue = ({ choice, index, text }: Event<'arguments'>): void => {
    const { calls } = of(choice)
    const call = calls.get(index)
    if (call !== undefined) calls.set(index, { ...call, arguments: call.arguments + text })
  }

  const finish = (event: Event<'finish'>): void => {
    const choice = of(event.choice)
    choice.explanation = event.explanation
    choice.finish = writeFinish(choice.refused && event.finish === 'stop' ? 'refusal' : event.finish)
  }

  const last = (): string => {
    const calls = [...choices.keys()].map(flush).join('')
    const candidates = [...choices].flatMap(([index, choice]) => {
      const { finish: finishReason, explanation: finishMessage, citations, text } = choice
      const candidate = { content: { role: 'model', parts: [{ text: '' }] }, ...writeCitations(citations, text), index }
      return finishReason === undefined ? [] : [{ ...candidate, finishReason, ...defined({ finishMessage }) }]
    })
    return calls + dataEvent(JSON.stringify({ candidates, usageMetadata: writeUsage(usage), ...head }))
  }

  return {
    write(event) {
      switch (event.kind) {
        case 'start':
          head = { modelVersion: event.model || model, responseId: event.id }
          return ''
        case 'text':
          of(event.choice).carrier.speak()
          of(event.choice).text += event.text
          return say(
            event.choice,
            { kind: 'text', text: event.text, ...defined({ signature: event.signature }) },
            event.logprobs,
          )
        case 'refusal':
          of(event.choice).refused ||= event.text !== ''
          of(event.choice).text += event.text
          return say(event.choice, { kind: 'text', text: event.text })
        case 'thinking': {
          const { choice, ...part } = event
          of(choice).carrier.think(part)
          return say(choice, part)
        }
        case 'part':
          return say(event.choice, event.part)
        case 'tool_call':
          begin(event)
          return ''
        case 'arguments':
          argue(event)
          return ''
        case 'audio':
          return event.data === undefined
            ? ''
            : piece(event.choice, [{ inlineData: { mimeType: 'audio/pcm', data: event.data } }])
        case 'finish':
          finish(event)
          return flush(event.choice)
        case 'usage':
          usage = event.usage
          return ''
        case 'error':
          return dataEvent(JSON.stringify({ error: { code: 500, message: event.message, status: 'INTERNAL' } }))
        case 'end':
          return last()
        case 'citation':
          of(event.choice).citations.push(event.citation)
          return ''
      }
    },
  }
}
