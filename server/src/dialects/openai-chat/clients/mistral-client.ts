import type { ClientShape, ShapedBody } from '../../client-shape.ts'
import { isObject, type JsonObject, membersOf, objectsOf, parsedJson, textIn, textOf } from '../../conversation/json.ts'

interface HeldCall {
  readonly index: unknown
  id: string
  name: string
  arguments: string
}

/** Calls of tools that a stream has begun, by choice. */
type Held = Map<unknown, HeldCall[]>

const hold = (held: Held, choice: JsonObject): void => {
  const calls = held.get(choice.index) ?? []
  held.set(choice.index, calls)
  for (const { index = 0, id, function: called } of objectsOf(membersOf(choice.delta).tool_calls)) {
    let call = calls.find((one) => one.index === index)
    if (call === undefined) {
      call = { index, id: '', name: '', arguments: '' }
      calls.push(call)
    }
    const { name, arguments: text } = membersOf(called)
    call.id ||= textOf(id)
    call.name ||= textOf(name)
    call.arguments += textOf(text)
  }
}

const wholeCalls = (calls: readonly HeldCall[]): JsonObject[] =>
  calls.map(({ index, id, name, arguments: text }) => ({
    id,
    type: 'function',
    index,
    function: { name, arguments: text === '' ? '{}' : text },
  }))

const dataOf = (payload: string): Buffer => Buffer.from(`data: ${payload}\n\n`)

/** A choice without its calls until it ends, and then with all of them. */
const choiceWith = (held: Held, choice: JsonObject): JsonObject => {
  const { tool_calls: _, ...delta } = membersOf(choice.delta)
  const calls = held.get(choice.index) ?? []
  if (textIn(choice.finish_reason) === undefined || calls.length === 0) return { ...choice, delta }
  held.delete(choice.index)
  return { ...choice, delta: { ...delta, tool_calls: wholeCalls(calls) } }
}

const openWholeCalls = (): ((payload: string) => Buffer) => {
  const held: Held = new Map()
  return (payload) => {
    // Nearly every event: nothing of a call, and none that waits.
    if (held.size === 0 && !payload.includes('"tool_calls"')) return dataOf(payload)
    const chunk = parsedJson(payload)
    if (!isObject(chunk)) return dataOf(payload)
    const choices = objectsOf(chunk.choices)
    for (const choice of choices) hold(held, choice)
    return dataOf(
      choices.length === 0
        ? payload
        : JSON.stringify({ ...chunk, choices: choices.map((one) => choiceWith(held, one)) }),
    )
  }
}

const isIdlePrefix = (message: JsonObject): boolean => message.prefix === false

/** Its clients send a meaningless `prefix: false` with each returned answer; OpenAI has no such member. */
const withoutIdlePrefix = (received: ShapedBody): ShapedBody => {
  const { messages } = received.body
  if (!Array.isArray(messages) || !objectsOf(messages).some(isIdlePrefix)) return received
  const kept = messages.map((message: unknown) => {
    if (!isObject(message) || !isIdlePrefix(message)) return message
    const { prefix: _, ...rest } = message
    return rest
  })
  const body = { ...received.body, messages: kept }
  return { raw: Buffer.from(JSON.stringify(body)), body }
}

/**
 * Chat completions for Mistral's own clients, which refuse a chunk with a part of a call: Mistral streams each call of a tool whole
 * (docs.mistral.ai/api/endpoint/chat). Calls wait for the end of their choice, text does not.
 */
export const mistralChatShape: ClientShape = {
  path: '/v1/chat/completions',
  read: withoutIdlePrefix,
  frames: { contentType: 'text/event-stream', open: openWholeCalls },
}
