import { randomUUID } from 'node:crypto'
import {
  isObject,
  type JsonObject,
  listOf,
  membersOf,
  objectsOf,
  parsedJson,
  textIn,
  textOf,
} from '../conversation/json.ts'
import { callsV1, metaV1, reasonOf, usageOf } from './client-answer.ts'

const doneMark = '[DONE]'

/** State of a stream of chat completions so far. */
interface Told {
  id: string
  finish: unknown
  usage: unknown
}

const noted = (told: Told, chunk: JsonObject): { delta: JsonObject } => {
  told.id ||= textIn(chunk.id) || randomUUID()
  if (isObject(chunk.usage)) told.usage = chunk.usage
  const choice = membersOf(listOf(chunk.choices)[0])
  told.finish = choice.finish_reason ?? told.finish
  return { delta: membersOf(choice.delta) }
}

const eventV2 = (type: string, fields: JsonObject): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`

/** A stream of chat completions as one of version 2 (docs.cohere.com/reference/chat-stream). */
export const openChatV2 = (): ((payload: string) => Buffer) => {
  const told: Told = { id: '', finish: undefined, usage: null }
  let begun = false
  let places = 0
  /** The content that is open, and its place. */
  let open: { readonly kind: 'text' | 'thinking'; readonly index: number } | undefined
  /** Index in the chunks → place of the call here. */
  const calls = new Map<unknown, number>()
  let openCall: number | undefined

  const closeContent = (): string => {
    const closed = open === undefined ? '' : eventV2('content-end', { index: open.index })
    open = undefined
    return closed
  }

  const closeCall = (): string => {
    const closed = openCall === undefined ? '' : eventV2('tool-call-end', { index: openCall })
    openCall = undefined
    return closed
  }

  const content = (kind: 'text' | 'thinking', text: string): string => {
    if (text === '') return ''
    let printed = closeCall()
    if (open?.kind !== kind) {
      printed += closeContent()
      open = { kind, index: places }
      places += 1
      const empty = { type: kind, [kind]: '' }
      printed += eventV2('content-start', { index: open.index, delta: { message: { content: empty } } })
    }
    return printed + eventV2('content-delta', { index: open.index, delta: { message: { content: { [kind]: text } } } })
  }

  const call = ({ index, id, function: called }: JsonObject): string => {
    const { name, arguments: text } = membersOf(called)
    let printed = ''
    let place = calls.get(index ?? 0)
    if (place === undefined) {
      printed += closeContent() + closeCall()
      place = calls.size
      calls.set(index ?? 0, place)
      openCall = place
      const begins = {
        id: textIn(id) || randomUUID(),
        type: 'function',
        function: { name: textOf(name), arguments: '' },
      }
      printed += eventV2('tool-call-start', { index: place, delta: { message: { tool_calls: begins } } })
    }
    if (textOf(text) === '') return printed
    const more = { message: { tool_calls: { function: { arguments: textOf(text) } } } }
    return printed + eventV2('tool-call-delta', { index: place, delta: more })
  }

  let failed = false

  const endWith = (delta: JsonObject): string =>
    `${closeContent()}${closeCall()}${eventV2('message-end', { delta })}data: ${doneMark}\n\n`

  const end = (): string => {
    if (failed) return ''
    const finish = calls.size > 0 ? 'TOOL_CALL' : reasonOf(told.finish)
    return endWith({ finish_reason: finish, usage: usageOf(told.usage) })
  }

  /** Its clients know no event of an error: they read `error` of the last one (docs.cohere.com/reference/chat-stream). */
  const fail = (error: string): string => {
    failed = true
    return endWith({ error, finish_reason: 'ERROR', usage: usageOf(told.usage) })
  }

  return (payload) => {
    if (payload === doneMark) return Buffer.from(end())
    const chunk = parsedJson(payload)
    if (!isObject(chunk)) return Buffer.alloc(0)
    if (typeof chunk.message === 'string') return Buffer.from(fail(chunk.message))
    const { delta } = noted(told, chunk)
    let printed = ''
    if (!begun) {
      begun = true
      const message = { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] }
      printed += eventV2('message-start', { id: told.id, delta: { message } })
    }
    printed += content('thinking', textOf(delta.reasoning_content)) + content('text', textOf(delta.content))
    return Buffer.from(printed + objectsOf(delta.tool_calls).map(call).join(''))
  }
}

const line = (event: JsonObject): string => `${JSON.stringify(event)}\n`

/** A stream of chat completions as lines of version 1 (docs.cohere.com/v1/reference/chat-stream). */
export const openChatV1 = (): ((payload: string) => Buffer) => {
  const told: Told = { id: '', finish: undefined, usage: null }
  let begun = false
  let text = ''
  const calls = new Map<unknown, { name: string; arguments: string }>()

  const end = (): string => {
    const called = callsV1([...calls.values()].map((each) => ({ function: each })))
    const printed =
      called.length === 0 ? '' : line({ is_finished: false, event_type: 'tool-calls-generation', tool_calls: called })
    const finish = called.length > 0 ? 'COMPLETE' : reasonOf(told.finish)
    const response = {
      response_id: told.id,
      generation_id: told.id,
      text,
      finish_reason: finish,
      ...(called.length === 0 ? {} : { tool_calls: called }),
      meta: metaV1(told.usage),
    }
    return printed + line({ is_finished: true, event_type: 'stream-end', finish_reason: finish, response })
  }

  return (payload) => {
    if (payload === doneMark) return Buffer.from(end())
    const chunk = parsedJson(payload)
    if (!isObject(chunk)) return Buffer.alloc(0)
    if (typeof chunk.message === 'string')
      return Buffer.from(line({ is_finished: true, event_type: 'stream-end', finish_reason: 'ERROR', response: chunk }))
    const { delta } = noted(told, chunk)
    let printed = begun ? '' : line({ is_finished: false, event_type: 'stream-start', generation_id: told.id })
    begun = true
    const more = textOf(delta.content)
    text += more
    if (more !== '') printed += line({ is_finished: false, event_type: 'text-generation', text: more })
    for (const { index = 0, function: called } of objectsOf(delta.tool_calls)) {
      const { name, arguments: part } = membersOf(called)
      const before = calls.get(index) ?? { name: '', arguments: '' }
      calls.set(index, { name: before.name || textOf(name), arguments: before.arguments + textOf(part) })
    }
    return Buffer.from(printed)
  }
}
