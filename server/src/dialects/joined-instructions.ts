import type { Message, Part, TextPart } from './conversation/conversation.ts'
import type { UnsupportedFields } from './conversation/unsupported-fields.ts'

export const isSystem = ({ role }: Message): boolean => role === 'system' || role === 'developer'

/** Turns system messages into user messages if there are no others, for providers that require a user message. */
export const withUserMessage = (messages: readonly Message[]): readonly Message[] =>
  messages.every(isSystem) ? messages.map((message) => ({ ...message, role: 'user' })) : messages

/**
 * All instructions as one message at the beginning, for hosts and templates that take them nowhere else: "System message must be at
 * the beginning" (github.com/ggml-org/llama.cpp/issues/27367). Reports `messages.system.position` if they stood among the turns.
 */
export const joinedInstructions = (
  messages: readonly Message[],
  unsupported: UnsupportedFields,
): readonly Message[] => {
  const turns = messages.findIndex((message) => !isSystem(message))
  const instructions = messages.filter(isSystem)
  const [first] = instructions
  const isPlaced = turns < 0 || !messages.slice(turns).some(isSystem)
  if (first === undefined || turns < 0 || (instructions.length === 1 && isPlaced)) return messages
  if (!isPlaced) unsupported.add('messages.system.position')
  const parts = joined(instructions.flatMap((message) => message.parts))
  const one = {
    ...first,
    role: instructions.some(({ role }) => role === 'system') ? 'system' : first.role,
    parts,
  } as const
  return [one, ...messages.filter((message) => !isSystem(message))]
}

/** Texts as one, which every template reads; other parts stay as they are. */
const joined = (parts: readonly Part[]): readonly Part[] => {
  const texts = parts.filter((part): part is TextPart => part.kind === 'text' && part.text !== '')
  if (texts.length < 2 || texts.length !== parts.length) return parts
  const cache = texts.findLast((part) => part.cache !== undefined)?.cache
  return [{ kind: 'text', text: texts.map(({ text }) => text).join('\n\n'), ...(cache === undefined ? {} : { cache }) }]
}
