import { noUsage } from '../../billing/usage.ts'
import type { Conversation, DialectName, Finish, Tool } from '../conversation/conversation.ts'
import { isObject, type JsonObject, parsedJson } from '../conversation/json.ts'
import { unsigned, wrapSignature } from '../conversation/signatures.ts'
import { type StreamEvent, standsAlone } from '../conversation/stream-event.ts'
import type { StreamWriter } from '../dialect.ts'
import { signedCall, stopDetails, writeCitation, writeFinish, writeUsage } from './answer.ts'
import { opaqueBlocks } from './searches.ts'

const printed = (type: string, fields: JsonObject): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`

type Kind = 'text' | 'thinking' | 'tool_use' | 'other'

interface Call {
  readonly index: number
  readonly id: string
  readonly name: string
  readonly custom: boolean
  readonly signature: string | undefined
  input: string
}

/** UTF-16 units. Longer texts are written without waiting for a search that the provider reports at the end. */
const longestHeld = 8192

const isWebSearch = (tool: Tool): boolean => tool.kind === 'built_in' && tool.type === 'web_search'

/** True if the arguments are complete JSON. Free text may always continue. */
const isComplete = ({ input, custom }: Call): boolean => !custom && input.endsWith('}') && isObject(parsedJson(input))

/** Escapes free text for the JSON string that is the only argument of a custom tool. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

/**
 * Writes the events of a message. Blocks must not overlap, so a call waits until the call before it is complete. The last
 * `message_delta` carries the stop reason and the usage, in whichever order they came.
 */
export const openWriter = ({ model, tools }: Conversation): StreamWriter => {
  let begun = false
  let block = -1
  let open: Kind | undefined
  let openCall: Call | undefined
  let waiting: Call[] = []
  let usage = noUsage
  let finish: Finish = 'stop'
  let stopSequence: string | null = null
  let refusal = ''
  let explanation = ''
  let called = false
  /** True once the open thinking block has a signature. */
  let signed = false
  let maker: DialectName | undefined
  /** Text and citations held back while a search may still be reported; undefined once they are written. */
  let held: StreamEvent[] | undefined
  let heldText = 0

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
        container: null,
        stop_reason: null,
        stop_sequence: null,
        stop_details: null,
        usage: writeUsage(usage),
      },
    })
  }

  const delta = (fields: JsonObject): string => printed('content_block_delta', { index: block, delta: fields })

  const inputDelta = (text: string): string =>
    text === '' ? '' : delta({ type: 'input_json_delta', partial_json: text })

  const unsignedEnd = (): string =>
    open === 'thinking' && !signed ? delta({ type: 'signature_delta', signature: unsigned(maker) }) : ''

  const close = (): string => {
    if (open === undefined) return ''
    const rest = unsignedEnd() + (openCall?.custom ? inputDelta('"}') : '')
    signed = false
    open = undefined
    openCall = undefined
    return rest + printed('content_block_stop', { index: block })
  }

  const enter = (kind: Kind, content: JsonObject): string => {
    const ending = close()
    open = kind
    block += 1
    return ending + printed('content_block_start', { index: block, content_block: content })
  }

  const enterCall = (call: Call): string => {
    const { id, name, custom, signature, input } = call
    const seals = signedCall(signature).map((block) => enter('other', block) + close())
    const begin = seals.join('') + enter('tool_use', { type: 'tool_use', id, name, input: {} })
    openCall = call
    return begin + inputDelta(custom ? `{"input":"${inJson(input)}` : input)
  }

  /** Writes waiting calls up to the first incomplete one; all of them if another kind of block follows. */
  const enterWaiting = (all: boolean): string => {
    let text = ''
    while (waiting.length > 0 && (all || openCall === undefined || isComplete(openCall))) {
      const [next, ...rest] = waiting
      waiting = rest
      if (next !== undefined) text += enterCall(next)
    }
    return text
  }

  const callEvent = ({ index, id, name, custom, signature }: Extract<StreamEvent, { kind: 'tool_call' }>): string => {
    called = true
    waiting.push({ index, id: id || `toolu_${index}`, name, custom: custom === true, signature, input: '' })
    return enterWaiting(false)
  }

  const argumentsEvent = ({ index, text }: Extract<StreamEvent, { kind: 'arguments' }>): string => {
    const call = openCall?.index === index ? openCall : waiting.find((entry) => entry.index === index)
    if (call === undefined) return ''
    call.input += text
    if (call !== openCall) return ''
    return inputDelta(call.custom ? inJson(text) : text) + enterWaiting(false)
  }

  const textEvent = (text: string): string => {
    if (text === '') return ''
    const entering = open === 'text' ? '' : enterWaiting(true) + enter('text', { type: 'text', text: '' })
    return entering + delta({ type: 'text_delta', text })
  }

  const thinkingEvent = (event: Extract<StreamEvent, { kind: 'thinking' }>): string => {
    const { text } = event
    const signature = wrapSignature(event, 'anthropic')
    if (text === '' && signature === undefined) return ''
    const calls = enterWaiting(true)
    const isOpen = open === 'thinking' && !standsAlone(event)
    if (event.encrypted !== undefined && text === '' && !isOpen)
      return calls + enter('other', { type: 'redacted_thinking', data: signature }) + close()
    const entering = isOpen ? '' : enter('thinking', { type: 'thinking', thinking: '', signature: '' })
    maker = event.by
    const thought = text === '' ? '' : delta({ type: 'thinking_delta', thinking: text })
    if (signature === undefined) return calls + entering + thought
    signed = true
    return calls + entering + thought + delta({ type: 'signature_delta', signature }) + close()
  }

  const end = (): string => {
    const rest = start('', model) + release() + enterWaiting(true) + close()
    const stop_reason = writeFinish({ finish, refused: refusal !== '', called })
    const ending = {
      container: null,
      stop_reason,
      stop_sequence: stopSequence,
      ...stopDetails(stop_reason, refusal || explanation),
    }
    return rest + printed('message_delta', { delta: ending, usage: writeUsage(usage) }) + printed('message_stop', {})
  }

  const body = (event: StreamEvent): string => {
    switch (event.kind) {
      case 'refusal':
        refusal += event.text
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
        const blocks = part.kind === 'opaque' ? opaqueBlocks(part) : []
        return blocks.map((content) => enterWaiting(true) + enter('other', content) + close()).join('')
      }
      default:
        return ''
    }
  }

  const release = (): string => {
    const events = held ?? []
    held = undefined
    return events.map(body).join('')
  }

  /** Writes a search before the text that it led to, also if the provider reports it last. */
  const inOrder = (event: StreamEvent): string => {
    if (held === undefined) return body(event)
    if (event.kind === 'part' && event.part.kind === 'opaque' && event.part.search !== undefined)
      return body(event) + release()
    if (event.kind !== 'text' && event.kind !== 'citation')
      return held.length === 0 ? body(event) : release() + body(event)
    if (event.kind === 'text' && event.text === '') return ''
    held.push(event)
    if (event.kind === 'text') heldText += event.text.length
    return heldText > longestHeld ? release() : ''
  }

  return {
    write(event) {
      if ('choice' in event && event.choice !== 0) return ''
      switch (event.kind) {
        case 'start':
          if (event.searchesLast && tools.some(isWebSearch)) held = []
          return start(event.id, event.model)
        case 'usage':
          usage = event.usage
          return ''
        case 'finish':
          finish = event.finish
          stopSequence = event.stopSequence ?? null
          explanation = event.explanation ?? ''
          return ''
        case 'error':
          return release() + printed('error', { error: { type: event.type, message: event.message } })
        case 'end':
          return end()
        default:
          return start('', model) + inOrder(event)
      }
    },
  }
}
