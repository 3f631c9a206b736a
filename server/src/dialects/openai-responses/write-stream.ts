import type { Usage } from '../../billing/usage.ts'
import type { Conversation, Finish } from '../conversation/conversation.ts'
import { defined, type JsonObject } from '../conversation/json.ts'
import { logprobEntries } from '../conversation/logprobs.ts'
import { wrapSignature } from '../conversation/signatures.ts'
import { type StreamEvent, standsAlone } from '../conversation/stream-event.ts'
import type { StreamWriter } from '../dialect.ts'
import { callPrefix, endOf, imageItem, itemId, responseId, signedCall, writeUsage } from './answer.ts'
import { writeCitation } from './content.ts'
import {
  contentOf,
  contentPlace,
  innerEnd,
  isComplete,
  itemOf,
  noCall,
  type OpenItem,
  type PrintEvent,
  placeOf,
  summaryPlace,
} from './open-item.ts'
import { repeatedIn } from './repeated-fields.ts'

type Event<K extends StreamEvent['kind']> = Extract<StreamEvent, { kind: K }>

const prefixes = { message: 'msg', reasoning: 'rs', call: 'fc' } as const

/**
 * Writes the events of a response. Every event names its item, so parallel calls are written as they come; an item of any
 * other kind closes the items before it.
 */
export const openWriter = (conversation: Conversation): StreamWriter => {
  let response: JsonObject = {
    id: 'resp_0',
    object: 'response',
    created_at: 0,
    model: conversation.model,
    ...repeatedIn(conversation),
  }
  let sequence = 0
  let begun = false
  let open: OpenItem[] = []
  const output: JsonObject[] = []
  let places = 0
  let offset = 0
  let usage: Usage | undefined
  let finish: Finish = 'stop'

  const print: PrintEvent = (type, fields) => {
    const data = JSON.stringify({ type, sequence_number: sequence, ...fields })
    sequence += 1
    return `event: ${type}\ndata: ${data}\n\n`
  }

  const start = (): string => {
    if (begun) return ''
    begun = true
    const started = {
      ...response,
      status: 'in_progress',
      error: null,
      incomplete_details: null,
      output: [],
      usage: null,
    }
    return print('response.created', { response: started }) + print('response.in_progress', { response: started })
  }

  /** Writes `{}` for a call without arguments, because clients parse them as JSON. */
  const emptyArguments = (item: OpenItem): string => {
    if (item.kind !== 'call' || item.call.custom || item.text !== '') return ''
    item.text = '{}'
    if (item.call.clientTool !== undefined) return ''
    return print('response.function_call_arguments.delta', { ...placeOf(item), delta: item.text })
  }

  const closeItem = (item: OpenItem): string => {
    const empty = emptyArguments(item)
    const whole = itemOf(item, 'completed')
    output[item.at] = whole
    return empty + innerEnd(item, print) + print('response.output_item.done', { output_index: item.at, item: whole })
  }

  const close = (which: (item: OpenItem) => boolean = () => true): string => {
    const closing = open.filter(which)
    open = open.filter((item) => !closing.includes(item))
    return closing.map(closeItem).join('')
  }

  const current = (kind: OpenItem['kind']): OpenItem | undefined => open.find((item) => item.kind === kind)

  const add = (kind: OpenItem['kind'], more: Partial<OpenItem> = {}): { item: OpenItem; text: string } => {
    const id = more.id || itemId(more.call ? callPrefix(more.call) : prefixes[kind], String(response.id), places)
    const item = {
      kind,
      refusal: false,
      call: noCall,
      before: offset,
      text: '',
      encrypted: undefined,
      by: undefined,
      annotations: [],
      logprobs: [],
      ...more,
      id,
      at: places,
    }
    places += 1
    open.push(item)
    const text = print('response.output_item.added', { output_index: item.at, item: itemOf(item, 'in_progress') })
    return { item, text }
  }

  const say = (text: string, refusal: boolean, logprobs: readonly unknown[] = []): string => {
    if (text === '' && logprobs.length === 0) return ''
    let entering = ''
    let item = current('message')
    if (item?.refusal !== refusal) {
      const ending = close()
      const added = add('message', { refusal })
      item = added.item
      const part = contentOf(item)
      entering = ending + added.text + print('response.content_part.added', { ...contentPlace(item), part })
    }
    item.text += text
    offset += text.length
    item.logprobs.push(...logprobs)
    const type = refusal ? 'response.refusal.delta' : 'response.output_text.delta'
    return entering + print(type, { ...contentPlace(item), delta: text, ...(refusal ? {} : { logprobs }) })
  }

  const think = (event: Event<'thinking'>): string => {
    const { text, id } = event
    const encrypted = wrapSignature(event, 'openai-responses')
    if (text === '' && encrypted === undefined) return ''
    const before = standsAlone(event) ? undefined : current('reasoning')
    const ending = before === undefined ? close() : ''
    const { item, text: added } =
      before === undefined ? add('reasoning', defined({ id, by: event.by })) : { item: before, text: '' }
    const place = summaryPlace(item)
    const first = item.text === '' && text !== ''
    const part = first
      ? print('response.reasoning_summary_part.added', { ...place, part: { type: 'summary_text', text: '' } })
      : ''
    item.text += text
    item.encrypted = encrypted ?? item.encrypted
    const delta = text === '' ? '' : print('response.reasoning_summary_text.delta', { ...place, delta: text })
    // A signature completes the reasoning item.
    return ending + added + part + delta + (encrypted === undefined ? '' : close())
  }

  /** Writes a complete item. */
  const whole = (item: JsonObject): string => {
    const place = { output_index: places, item }
    output[places] = item
    places += 1
    return print('response.output_item.added', place) + print('response.output_item.done', place)
  }

  const callEvent = (event: Event<'tool_call'>): string => {
    const { index, id, name, custom, signature, namespace, clientTool } = event
    const ending = close((item) => item.kind !== 'call' || isComplete(item))
    const signed = signedCall(signature, itemId('rs', String(response.id), places))
      .map(whole)
      .join('')
    const more = defined({ namespace, clientTool })
    const call = { index, id: id || `call_${index}`, name, custom: custom === true, ...more }
    return ending + signed + add('call', { call }).text
  }

  const argumentsEvent = ({ index, text }: Event<'arguments'>): string => {
    const item = open.find(({ kind, call }) => kind === 'call' && call.index === index)
    if (item === undefined || text === '') return ''
    item.text += text
    if (item.call.clientTool !== undefined) return ''
    const type = item.call.custom ? 'response.custom_tool_call_input.delta' : 'response.function_call_arguments.delta'
    return print(type, { ...placeOf(item), delta: text })
  }

  const cite = ({ citation }: Event<'citation'>): string => {
    const item = current('message')
    if (item === undefined) return ''
    const annotation = writeCitation(citation, item.before)
    item.annotations.push(annotation)
    const annotation_index = item.annotations.length - 1
    return print('response.output_text.annotation.added', { ...contentPlace(item), annotation_index, annotation })
  }

  const partEvent = ({ part }: Event<'part'>): string => {
    if (part.kind === 'image') {
      const items = imageItem(part, itemId('ig', String(response.id), places))
      return items.length === 0 ? '' : close() + items.map(whole).join('')
    }
    if (part.kind !== 'opaque' || part.dialect !== 'openai-responses') return ''
    return close() + whole(part.value)
  }

  const begin = ({ id, created, model, serviceTier }: Event<'start'>): string => {
    response = {
      ...response,
      id: responseId(id),
      created_at: created,
      model: model || conversation.model,
      ...defined({ service_tier: serviceTier }),
    }
    return start()
  }

  const end = (): string => {
    const rest = start() + close()
    const ending = endOf(finish)
    const finished = { ...response, ...ending, error: null, output, ...defined({ usage: usage && writeUsage(usage) }) }
    return rest + print(`response.${ending.status}`, { response: finished })
  }

  const body = (event: StreamEvent): string => {
    switch (event.kind) {
      case 'text':
        return say(event.text, false, logprobEntries(event.logprobs))
      case 'refusal':
        return say(event.text, true)
      case 'thinking':
        return think(event)
      case 'tool_call':
        return callEvent(event)
      case 'arguments':
        return argumentsEvent(event)
      case 'citation':
        return cite(event)
      case 'part':
        return partEvent(event)
      default:
        return ''
    }
  }

  return {
    write(event) {
      if ('choice' in event && event.choice !== 0) return ''
      switch (event.kind) {
        case 'start':
          return begin(event)
        case 'usage':
          usage = event.usage
          return ''
        case 'finish':
          finish = event.finish
          return ''
        case 'error':
          return print('error', { code: event.code ?? event.type, message: event.message, param: null })
        case 'end':
          return end()
        default:
          return start() + body(event)
      }
    },
  }
}
