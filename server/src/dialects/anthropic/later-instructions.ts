import type { Message } from '../conversation/conversation.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'
import { isSystem } from '../joined-instructions.ts'

/** Instructions before the conversation, and turns with those that came later among them. */
export interface PlacedMessages {
  readonly instructions: readonly Message[]
  readonly turns: readonly Message[]
}

/** All instructions before the conversation, for models that take them nowhere else. */
const allBefore = (messages: readonly Message[], unsupported: UnsupportedFields): PlacedMessages => {
  const first = messages.findIndex((message) => !isSystem(message))
  if (first >= 0 && messages.slice(first).some(isSystem)) unsupported.add('messages.system.position')
  return { instructions: messages.filter(isSystem), turns: messages.filter((message) => !isSystem(message)) }
}

/**
 * Newer models take later instructions as a message, which must follow a turn of the user and come before the model's, one at a
 * time (platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages). So what was said before still begins the
 * prompt, and a cache finds it. Instructions that no turn of the user comes with go before the conversation.
 */
export const placed = (
  messages: readonly Message[],
  takesLater: boolean,
  unsupported: UnsupportedFields,
): PlacedMessages => {
  if (!takesLater) return allBefore(messages, unsupported)
  const instructions: Message[] = []
  const turns: Message[] = []
  let later: Message[] = []
  const place = (): void => {
    const parts = later.flatMap((message) => message.parts)
    const last = turns.at(-1)
    if (last === undefined) instructions.push(...later)
    else if (last.role === 'user' || last.role === 'tool') turns.push({ role: 'system', parts })
    else {
      unsupported.add('messages.system.position')
      instructions.push(...later)
    }
    later = []
  }
  for (const message of messages) {
    if (isSystem(message)) later.push(message)
    else {
      if (later.length > 0 && (message.role === 'assistant' || turns.length === 0)) place()
      turns.push(message)
    }
  }
  if (later.length > 0) place()
  return { instructions, turns }
}
