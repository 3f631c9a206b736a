import type { Answer, Conversation, Part, Tool, ToolCallPart } from '../conversation/conversation.ts'
import { defined, isObject, type JsonObject, parsedJson } from '../conversation/json.ts'
import type { StreamEvent } from '../conversation/stream-event.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'
import type { StreamWriter } from '../dialect.ts'

/** Custom tools take free text. At providers whose tools take JSON objects, the text becomes the property `input`. */

type FunctionTool = Extract<Tool, { kind: 'function' }>

/** Converts a custom tool to a function. Its grammar is unsupported. */
export const asFunction = (tool: Extract<Tool, { kind: 'custom' }>, unsupported: UnsupportedFields): FunctionTool => {
  if (tool.format !== undefined && tool.format.type !== 'text') unsupported.add('tools.custom.format')
  const parameters = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] }
  return { kind: 'function', name: tool.name, ...defined({ description: tool.description }), parameters }
}

/** The arguments of a call as an object. Arguments that are not a JSON object become the property `arguments`. */
export const inputOf = ({ arguments: text, custom }: Pick<ToolCallPart, 'arguments' | 'custom'>): JsonObject => {
  if (custom) return { input: text }
  const input = parsedJson(text === '' ? '{}' : text)
  return isObject(input) ? input : { arguments: text }
}

/** Includes the namespace: two namespaces may hold tools of the same name. */
const keyOf = (name: string, namespace = ''): string => `${namespace}\n${name}`

const customNames = ({ tools }: Conversation): ReadonlySet<string> =>
  new Set(tools.flatMap((tool) => (tool.kind === 'custom' ? [keyOf(tool.name, tool.namespace?.name)] : [])))

const freeText = (text: string): string => {
  const json = parsedJson(text)
  return isObject(json) && typeof json.input === 'string' ? json.input : text
}

/** Converts function calls of custom tools back to free text. */
export const withFreeText = (answer: Answer, conversation: Conversation): Answer => {
  const names = customNames(conversation)
  if (names.size === 0) return answer
  const freed = (part: Part): Part =>
    part.kind === 'tool_call' && !part.custom && names.has(keyOf(part.name, part.namespace))
      ? { ...part, custom: true, arguments: freeText(part.arguments) }
      : part
  return { ...answer, choices: answer.choices.map((choice) => ({ ...choice, parts: choice.parts.map(freed) })) }
}

type CallEvent = Extract<StreamEvent, { kind: 'tool_call' }>

/** Like `withFreeText` for a stream. Writes the text when its JSON is complete, at the latest when the choice ends. */
export const freeTextWriter = (writer: StreamWriter, conversation: Conversation): StreamWriter => {
  const names = customNames(conversation)
  if (names.size === 0) return writer
  const waiting = new Map<string, { readonly call: CallEvent; text: string }>()

  const flush = (key: string): string => {
    const call = waiting.get(key)
    waiting.delete(key)
    if (call === undefined) return ''
    const { choice, index } = call.call
    return writer.write({ kind: 'arguments', choice, index, text: freeText(call.text) })
  }

  return {
    write(event) {
      if (event.kind === 'tool_call' && !event.custom && names.has(keyOf(event.name, event.namespace))) {
        waiting.set(`${event.choice}:${event.index}`, { call: event, text: '' })
        return writer.write({ ...event, custom: true })
      }
      if (event.kind === 'arguments') {
        const key = `${event.choice}:${event.index}`
        const call = waiting.get(key)
        if (call === undefined) return writer.write(event)
        call.text += event.text
        return call.text.endsWith('}') && isObject(parsedJson(call.text)) ? flush(key) : ''
      }
      const isOver = event.kind !== 'usage' && event.kind !== 'tool_call' && event.kind !== 'start'
      return (isOver ? [...waiting.keys()].map(flush).join('') : '') + writer.write(event)
    },
  }
}
