/** What an answer or one event of a stream says, for counting: texts, and how many tool calls it holds. */
export interface Said {
  readonly text: string
  readonly toolCalls: number
  /** Of `text`, in UTF-8, where that is known without reading all of it. */
  readonly textBytes?: number
}

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value
  return listOf(value)
    .map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : ''))
    .join('')
}

const callText = (call: unknown): string => {
  const asked = isObject(call) && isObject(call.function) ? call.function : {}
  return textOf(asked.name) + textOf(asked.arguments)
}

const messageText = (message: Members): string =>
  textOf(message.content) +
  textOf(message.reasoning_content ?? message.reasoning) +
  textOf(message.refusal) +
  listOf(message.tool_calls).map(callText).join('') +
  (isObject(message.function_call) ? callText({ function: message.function_call }) : '')

const choiceText = (choice: unknown): string => {
  if (!isObject(choice)) return ''
  const message = choice.delta ?? choice.message
  return textOf(choice.text) + (isObject(message) ? messageText(message) : '')
}

const toolCallsOf = (choice: unknown): number => {
  const message = isObject(choice) ? (choice.delta ?? choice.message) : undefined
  return isObject(message) ? listOf(message.tool_calls).length : 0
}

/** What is counted of an answer: content, reasoning, tool names and arguments of every choice. */
export const said = (answer: unknown): Said => {
  const choices = isObject(answer) ? listOf(answer.choices) : []
  return {
    text: choices.map(choiceText).join(''),
    toolCalls: Math.max(0, ...choices.map(toolCallsOf)),
  }
}
