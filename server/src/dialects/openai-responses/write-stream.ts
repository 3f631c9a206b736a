import type { Usage } from '../../billing/usage.ts'
import type { Conversation, Finish, Part } from '../conversation.ts'
import type { StreamWriter } from '../dialect.ts'
import { given, type Members } from '../json.ts'
import { wrapSignature } from '../signatures.ts'
import type { StreamEvent } from '../stream-event.ts'
import { callItem, endOf, itemId, writeUsage } from './answer.ts'
import { writeCitation } from './content.ts'

type Kind = 'message' | 'reasoning' | 'call'

interface OpenItem {
  readonly kind: Kind
  readonly id: string
  readonly index: number
  /** Of a message: whether its words refuse. */
  readonly refusal: boolean
  readonly call: { readonly index: number; readonly id: string; readonly name: string; readonly custom: boolean }
  text: string
  encrypted: string | undefined
  readonly annotations: Members[]
}

const noCall = { index: -1, id: '', name: '', custom: false }

/** Prints the events of a response. Items follow each other; a call that speaks late opens its item again as nobody else could. */
export const openWriter = (conversation: Conversation): StreamWriter => {
  let response: Members = { id: 'resp_0', object: 'response', created_at: 0, model: conversation.model }
  let sequence = 0
  let begun = false
  let open: OpenItem | undefined
  const waiting: { index: number; id: string; name: string; custom: boolean; text: string }[] = []
  const output: Members[] = []
  let usage: Usage | undefined
  let finish: Finish = 'stop'

  const printed = (type: string, its: Members): string => {
    const data = JSON.stringify({ type, sequence_number: sequence, ...its })
    sequence += 1
    return `event: ${type}\ndata: ${data}\n\n`
  }

  const start = (): string => {
    if (begun) return ''
    begun = true
    const its = { ...response, status: 'in_progress', error: null, incomplete_details: null, output: [], usage: null }
    return printed('response.created', { response: its }) + printed('response.in_progress', { response: its })
  }

  const at = (item: OpenItem): Members => ({ item_id: item.id, output_index: item.index })
  const inContent = (item: OpenItem): Members => ({ ...at(item), content_index: 0 })

  const contentOf = ({ refusal, text, annotations }: OpenItem): Members =>
    refusal ? { type: 'refusal', refusal: text } : { type: 'output_text', text, annotations, logprobs: [] }

  const itemOf = (item: OpenItem, status: 'in_progress' | 'completed'): Members => {
    const { id, text, call } = item
    if (item.kind === 'call') {
      const part: Part = {
        kind: 'tool_call',
        id: call.id,
        name: call.name,
        arguments: text,
        ...(call.custom ? { custom: true as const } : {}),
      }
      return { ...callItem(part, id), status }
    }
    if (item.kind === 'message') {
      const content = status === 'completed' ? [contentOf(item)] : []
      return { id, type: 'message', role: 'assistant', status, content }
    }
    const summary = status === 'completed' && text !== '' ? [{ type: 'summary_text', text }] : []
    return { id, type: 'reasoning', summary, ...given({ encrypted_content: item.encrypted }) }
  }

  const innerEnd = (item: OpenItem): string => {
    const { text, call } = item
    if (item.kind === 'call') {
      return call.custom
        ? printed('response.custom_tool_call_input.done', { ...at(item), input: text })
        : printed('response.function_call_arguments.done', { ...at(item), name: call.name, arguments: text })
    }
    if (item.kind === 'message') {
      const said = item.refusal
        ? printed('response.refusal.done', { ...inContent(item), refusal: text })
        : printed('response.output_text.done', { ...inContent(item), text, logprobs: [] })
      return said + printed('response.content_part.done', { ...inContent(item), part: contentOf(item) })
    }
    if (text === '') return ''
    const place = { ...at(item), summary_index: 0 }
    return (
      printed('response.reasoning_summary_text.done', { ...place, text }) +
      printed('response.reasoning_summary_part.done', { ...place, part: { type: 'summary_text', text } })
    )
  }

  const close = (): string => {
    if (open === undefined) return ''
    const item = open
    open = undefined
    const whole = itemOf(item, 'completed')
    output.push(whole)
    return innerEnd(item) + printed('response.output_item.done', { output_index: item.index, item: whole })
  }

  const enter = (kind: Kind, more: Partial<OpenItem> = {}): string => {
    const ending = close()
    const index = output.length
    const prefix = kind === 'message' ? 'msg' : kind === 'reasoning' ? 'rs' : 'fc'
    const id = more.id || itemId(prefix, String(response.id), index)
    open = { kind, index, refusal: false, call: noCall, text: '', encrypted: undefined, annotations: [], ...more, id }
    const added = printed('response.output_item.added', { output_index: index, item: itemOf(open, 'in_progress') })
    if (kind !== 'message') return ending + added
    const part = contentOf(open)
    return ending + added + printed('response.content_part.added', { ...inContent(open), part })
  }

  const say = (text: string, refusal: boolean): string => {
    if (text === '') return ''
    const entering = open?.kind === 'message' && open.refusal === refusal ? '' : flush() + enter('message', { refusal })
    if (open === undefined) return entering
    open.text += text
    const type = refusal ? 'response.refusal.delta' : 'response.output_text.delta'
    return entering + printed(type, { ...inContent(open), delta: text, ...(refusal ? {} : { logprobs: [] }) })
  }

  const think = (event: Extract<StreamEvent, { kind: 'thinking' }>): string => {
    const { text, id } = event
    const encrypted = wrapSignature(event, 'openai-responses')
    if (text === '' && encrypted === undefined) return ''
    const entering = open?.kind === 'reasoning' ? '' : enter('reasoning', given({ id }))
    if (open === undefined) return entering
    const place = { ...at(open), summary_index: 0 }
    const first = open.text === '' && text !== ''
    const added = first
      ? printed('response.reasoning_summary_part.added', { ...place, part: { type: 'summary_text', text: '' } })
      : ''
    open.text += text
    open.encrypted = encrypted ?? open.encrypted
    const delta = text === '' ? '' : printed('response.reasoning_summary_text.delta', { ...place, delta: text })
    // A signature closes a thought.
    return entering + added + delta + (encrypted === undefined ? '' : close())
  }

  const argue = (text: string): string => {
    if (open === undefined || text === '') return ''
    open.text += text
    const type = open.call.custom ? 'response.custom_tool_call_input.delta' : 'response.function_call_arguments.delta'
    return printed(type, { ...at(open), delta: text })
  }

  /** Calls that waited for the one before them. */
  const flush = (): string => {
    let text = ''
    for (const call of waiting.splice(0)) text += enter('call', { call }) + argue(call.text)
    return text
  }

  const callEvent = ({ index, id, name, custom }: Extract<StreamEvent, { kind: 'tool_call' }>): string => {
    const call = { index, id: id || `call_${index}`, name, custom: custom === true, text: '' }
    if (open?.kind === 'call' || waiting.length > 0) {
      waiting.push(call)
      return ''
    }
    return enter('call', { call })
  }

  const argumentsEvent = ({ index, text }: Extract<StreamEvent, { kind: 'arguments' }>): string => {
    if (open?.kind === 'call' && open.call.index === index) return argue(text)
    const call = waiting.find((entry) => entry.index === index)
    if (call !== undefined) call.text += text
    // Providers finish one call before the next speaks; once it speaks, the first is over.
    if (waiting[0] !== call || call === undefined) return ''
    waiting.shift()
    const entering = enter('call', { call })
    return entering + argue(call.text)
  }

  const end = (): string => {
    const rest = start() + flush() + close()
    const ending = endOf(finish)
    const its = { ...response, ...ending, error: null, output, ...given({ usage: usage && writeUsage(usage) }) }
    return rest + printed(`response.${ending.status}`, { response: its })
  }

  const body = (event: StreamEvent): string => {
    switch (event.kind) {
      case 'text':
        return say(event.text, false)
      case 'refusal':
        return say(event.text, true)
      case 'thinking':
        return flush() + think(event)
      case 'tool_call':
        return callEvent(event)
      case 'arguments':
        return argumentsEvent(event)
      case 'citation': {
        if (open?.kind !== 'message') return ''
        const annotation = writeCitation(event.citation)
        open.annotations.push(annotation)
        const annotation_index = open.annotations.length - 1
        return printed('response.output_text.annotation.added', { ...inContent(open), annotation_index, annotation })
      }
      case 'part': {
        const { part } = event
        if (part.kind !== 'opaque' || part.dialect !== 'openai-responses') return ''
        const ending = flush() + close()
        const place = { output_index: output.length, item: part.value }
        output.push(part.value)
        return ending + printed('response.output_item.added', place) + printed('response.output_item.done', place)
      }
      default:
        return ''
    }
  }

  return {
    write(event) {
      if ('choice' in event && event.choice !== 0) return ''
      switch (event.kind) {
        case 'start': {
          const { id, created, serviceTier } = event
          const named = id.startsWith('resp_') ? id : `resp_${id}`
          response = {
            ...response,
            id: named,
            created_at: created,
            model: event.model || conversation.model,
            ...given({ service_tier: serviceTier }),
          }
          return start()
        }
        case 'usage':
          usage = event.usage
          return ''
        case 'finish':
          finish = event.finish
          return ''
        case 'error':
          return printed('error', { code: event.code ?? event.type, message: event.message, param: null })
        case 'end':
          return end()
        default:
          return start() + body(event)
      }
    },
  }
}
