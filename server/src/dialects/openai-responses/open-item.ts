import type { ClientToolType, DialectName } from '../conversation/conversation.ts'
import { defined, isObject, type JsonObject, parsedJson } from '../conversation/json.ts'
import { unsigned } from '../conversation/signatures.ts'
import { callItem } from './answer.ts'

/** An incomplete item of a streamed response. */
export interface OpenItem {
  readonly kind: 'message' | 'reasoning' | 'call'
  readonly id: string
  /** Index in the output. */
  readonly at: number
  /** True if the message is a refusal. */
  readonly refusal: boolean
  readonly call: {
    readonly index: number
    readonly id: string
    readonly name: string
    readonly custom: boolean
    readonly namespace?: string
    readonly clientTool?: ClientToolType
  }
  /** Characters of text in the items before it. */
  readonly before: number
  text: string
  encrypted: string | undefined
  /** The dialect that signed the reasoning. */
  readonly by: DialectName | undefined
  readonly annotations: JsonObject[]
  readonly logprobs: unknown[]
}

export const noCall: OpenItem['call'] = { index: -1, id: '', name: '', custom: false }

/** Writes one event of the stream. */
export type PrintEvent = (type: string, fields: JsonObject) => string

/** True if the call's arguments are complete JSON. Free text may always continue. */
export const isComplete = ({ call, text }: OpenItem): boolean =>
  !call.custom && text.endsWith('}') && isObject(parsedJson(text))

export const placeOf = ({ id, at }: OpenItem): JsonObject => ({ item_id: id, output_index: at })
export const contentPlace = (item: OpenItem): JsonObject => ({ ...placeOf(item), content_index: 0 })
export const summaryPlace = (item: OpenItem): JsonObject => ({ ...placeOf(item), summary_index: 0 })

export const contentOf = ({ refusal, text, annotations, logprobs }: OpenItem): JsonObject =>
  refusal ? { type: 'refusal', refusal: text } : { type: 'output_text', text, annotations, logprobs }

const callOf = ({ id, text, call: { custom, index: _, ...call } }: OpenItem): JsonObject =>
  callItem({ kind: 'tool_call', ...call, arguments: text, ...(custom ? { custom } : {}) }, id)

export const itemOf = (item: OpenItem, status: 'in_progress' | 'completed'): JsonObject => {
  const { id, text } = item
  if (item.kind === 'call') return { ...callOf(item), status }
  const isWhole = status === 'completed'
  if (item.kind === 'message')
    return { id, type: 'message', role: 'assistant', status, content: isWhole ? [contentOf(item)] : [] }
  const summary = isWhole && text !== '' ? [{ type: 'summary_text', text }] : []
  const encrypted = item.encrypted ?? (isWhole ? unsigned(item.by) : undefined)
  return { id, type: 'reasoning', summary, ...defined({ encrypted_content: encrypted }) }
}

/** The events that complete the content of an item. */
export const innerEnd = (item: OpenItem, print: PrintEvent): string => {
  const { text, call } = item
  if (item.kind === 'call') {
    // Calls of client-run tools have no delta events; `output_item.done` holds the complete item.
    if (call.clientTool !== undefined) return ''
    return call.custom
      ? print('response.custom_tool_call_input.done', { ...placeOf(item), input: text })
      : print('response.function_call_arguments.done', { ...placeOf(item), name: call.name, arguments: text })
  }
  if (item.kind === 'message') {
    const contentDone = item.refusal
      ? print('response.refusal.done', { ...contentPlace(item), refusal: text })
      : print('response.output_text.done', { ...contentPlace(item), text, logprobs: item.logprobs })
    return contentDone + print('response.content_part.done', { ...contentPlace(item), part: contentOf(item) })
  }
  if (text === '') return ''
  const place = summaryPlace(item)
  return (
    print('response.reasoning_summary_text.done', { ...place, text }) +
    print('response.reasoning_summary_part.done', { ...place, part: { type: 'summary_text', text } })
  )
}
