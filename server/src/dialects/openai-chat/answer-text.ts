import { isObject, type JsonObject, listOf } from '../conversation/json.ts'
import type { AnswerText } from '../passthrough.ts'

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value
  return listOf(value)
    .map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : ''))
    .join('')
}

const callText = (call: unknown): string => {
  const { name, arguments: json } = isObject(call) && isObject(call.function) ? call.function : {}
  return textOf(name) + textOf(json)
}

const messageText = (message: JsonObject): string =>
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

/** Text of an answer or of a stream event: content, reasoning, tool names and arguments of every choice. */
export const answerText = (answer: unknown): AnswerText => {
  const choices = isObject(answer) ? listOf(answer.choices) : []
  return {
    text: choices.map(choiceText).join(''),
    toolCalls: Math.max(0, ...choices.map(toolCallsOf)),
  }
}
