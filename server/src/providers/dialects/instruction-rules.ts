import { isObject, type JsonObject, listOf, textOf } from '../../dialects/conversation/json.ts'

/** Instructions of chat completions for models whose template takes one message of them, at the beginning. */

const isInstruction = (message: unknown): message is JsonObject =>
  isObject(message) && (message.role === 'system' || message.role === 'developer')

const partsOf = (content: unknown): readonly unknown[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)

const joined = (instructions: readonly JsonObject[]): JsonObject => {
  const parts = instructions.flatMap(({ content }) => partsOf(content))
  const isText = parts.every((part) => isObject(part) && part.type === 'text' && Object.keys(part).length === 2)
  const texts = parts.map((part) => textOf((part as JsonObject).text)).filter((text) => text !== '')
  return { ...instructions[0], role: 'system', content: isText ? texts.join('\n\n') : parts }
}

export interface JoinedMessages {
  readonly messages: readonly unknown[]
  /** True if instructions stood among the turns. */
  readonly moved: boolean
}

/** The messages with all instructions in the first one; undefined where they are. `messages` is the list of a body. */
export const withJoinedInstructions = (messages: unknown): JoinedMessages | undefined => {
  const all = listOf(messages)
  const first = all.findIndex((message) => !isInstruction(message))
  if (first < 0) return undefined
  const moved = all.slice(first).some(isInstruction)
  if (first < 2 && !moved) return undefined
  return { messages: [joined(all.filter(isInstruction)), ...all.filter((message) => !isInstruction(message))], moved }
}
