import { noUsage } from '../../billing/usage.ts'
import type { Conversation } from '../conversation.ts'
import type { StreamWriter } from '../dialect.ts'
import { type Members, parsedJson } from '../json.ts'
import { wrapSignature } from '../signatures.ts'
import type { StreamEvent } from '../stream-event.ts'
import { writeCitation, writeFinish, writeUsage } from './answer.ts'

const printed = (type: string, its: Members): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...its })}\n\n`

type Kind = 'text' | 'thinking' | 'tool_use'

interface WaitingCall {
  readonly index: number
  readonly id: string
  readonly name: string
  input: string
}

/**
 * Prints the events of a message. Blocks follow each other here and never mix, so a call whose arguments come before the
 * call in front of it is complete has to wait. The end carries the reason and the usage, whichever came first.
 */
export const openWriter = ({ model }: Conversation): StreamWriter => {
  let begun = false
  let block = -1
  let open: Kind | undefined
  let openCall: WaitingCall | undefined
  let waiting: WaitingCall[] = []
  let usage = noUsage
  let reason: Members = { stop_reason: 'end_turn', stop_sequence: null }
  let refused = false
  let over = false

  const start = (id: string, name: string): string => {
    if (begun) return ''
    begun = true
    return printed('message_start', {
      message: {
        id: id || 'msg_0',
        type: 'message',
        role: 'assistant',
        model: name || model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: writeUsage(usage),
      },
    })
  }

  const close = (): string => {
    if (open === undefined) return ''
    open = undefined
    openCall = undefined
    return printed('content_block_stop', { index: block })
  }

  const enter = (kind: Kind, content: Members): string => {
    const ending = close()
    open = kind
    block += 1
    return ending + printed('content_block_start', { index: block, content_block: content })
  }

  const delta = (its: Members): string => printed('content_block_delta', { index: block, delta: its })

  const inputDelta = (text: string): string =>
    text === '' ? '' : delta({ type: 'input_json_delta', partial_json: text })

  const enterCall = (call: WaitingCall): string => {
    const text =
      enter('tool_use', { type: 'tool_use', id: call.id, name: call.name, input: {} }) + inputDelta(call.input)
    openCall = call
    return text
  }

  const isComplete = ({ input }: WaitingCall): boolean => parsedJson(input) !== undefined

  const enterWaiting = (all: 'all' | 'complete'): string => {
    let text = ''
    while (waiting.length > 0 && (all === 'all' || openCall === undefined || isComplete(openCall))) {
      const [next, ...rest] = waiting
      waiting = rest
      if (next !== undefined) text += enterCall(next)
    }
    return text
  }

  const callEvent = ({ index, id, name }: Extract<StreamEvent, { kind: 'tool_call' }>): string => {
    waiting.push({ index, id: id || `toolu_${index}`, name, input: '' })
    if (openCall !== undefined && openCall.input !== '' && !isComplete(openCall)) return ''
    return enterWaiting('complete')
  }

  const argumentsEvent = ({ index, text }: Extract<StreamEvent, { kind: 'arguments' }>): string => {
    if (openCall?.index === index) {
      openCall.input += text
      return inputDelta(text) + (waiting.length > 0 ? enterWaiting('complete') : '')
    }
    const call = waiting.find((entry) => entry.index === index)
    if (call !== undefined) call.input += text
    // An open call without arguments so far takes none when the next one has begun to speak.
    return openCall !== undefined && openCall.input === '' ? enterWaiting('complete') || enterWaiting('all') : ''
  }

  const textEvent = (text: string): string => {
    if (text === '') return ''
    const entering = open === 'text' ? '' : enterWaiting('all') + enter('text', { type: 'text', text: '' })
    return entering + delta({ type: 'text_delta', text })
  }

  const thinkingEvent = (event: Extract<StreamEvent, { kind: 'thinking' }>): string => {
    const { text } = event
    const signature = wrapSignature(event, 'anthropic')
    if (event.encrypted !== undefined && text === '' && open !== 'thinking') {
      const redacted = close() + enter('thinking', { type: 'redacted_thinking', data: signature })
      return redacted + close()
    }
    if (text === '' && signature === undefined) return ''
    const entering = open === 'thinking' ? '' : enter('thinking', { type: 'thinking', thinking: '', signature: '' })
    const thought = text === '' ? '' : delta({ type: 'thinking_delta', thinking: text })
    if (signature === undefined) return entering + thought
    return entering + thought + delta({ type: 'signature_delta', signature }) + close()
  }

  const end = (): string => {
    if (over) return ''
    over = true
    const rest = start('', model) + enterWaiting('all') + close()
    return rest + printed('message_delta', { delta: reason, usage: writeUsage(usage) }) + printed('message_stop', {})
  }

  const body = (event: StreamEvent): string => {
    switch (event.kind) {
      case 'refusal':
        refused ||= event.text !== ''
        return textEvent(event.text)
      case 'text':
        return textEvent(event.text)
      case 'thinking':
        return thinkingEvent(event)
      case 'tool_call':
        return callEvent(event)
      case 'arguments':
        return argumentsEvent(event)
      case 'citation':
        return open === 'text' ? delta({ type: 'citations_delta', citation: writeCitation(event.citation) }) : ''
      case 'part': {
        const { part } = event
        if (part.kind !== 'opaque' || part.dialect !== 'anthropic') return ''
        return enter('text', part.value) + close()
      }
      default:
        return ''
    }
  }

  return {
    write(event) {
      if (over || ('choice' in event && event.choice !== 0)) return ''
      switch (event.kind) {
        case 'start':
          return start(event.id, event.model)
        case 'usage':
          usage = event.usage
          return ''
        case 'finish':
          reason = {
            stop_reason: writeFinish(refused && event.finish === 'stop' ? 'refusal' : event.finish),
            stop_sequence: event.stopSequence ?? null,
          }
          return ''
        case 'error':
          over = true
          return printed('error', { error: { type: event.type, message: event.message } })
        case 'end':
          return end()
        default:
          return start('', model) + body(event)
      }
    },
  }
}
