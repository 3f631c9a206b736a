import { isSystem } from '../../joined-instructions.ts'
import type { Conversation, Message, Part } from '../conversation.ts'
import type { UnsupportedFields } from '../unsupported-fields.ts'
import { unreadable } from './calls-in-step.ts'

/** Parts that every dialect writes in messages of such a role. */
const isAlwaysWritten = (part: Part, role: Message['role']): boolean => {
  if (part.kind === 'text') return part.text.trim() !== ''
  return role === 'assistant' ? part.kind === 'tool_call' : role === 'tool' && part.kind === 'tool_result'
}

/** True if the client wrote something into the message, which the target dialect may lack. */
const holdsSomething = ({ parts }: Message): boolean =>
  parts.some((part) => part.kind !== 'text' || part.text.trim() !== '')

/**
 * The messages that hold something in the target dialect. An empty one is left out rather than filled with words that nobody
 * said, and turns of one role around it become one. `isWritten` says whether the dialect writes anything of a message; it also
 * reports what the dialect lacks. Throws InexpressibleError where nothing is left, or nothing of the last message of the client:
 * the model would answer a question that it did not get.
 */
export const withoutEmptyTurns = (
  { model, messages }: Pick<Conversation, 'model' | 'messages'>,
  isWritten: (message: Message) => boolean,
  unsupported: UnsupportedFields,
): readonly Message[] => {
  const isKept = (message: Message): boolean =>
    message.parts.some((part) => isAlwaysWritten(part, message.role)) || isWritten(message)
  const kept: Message[] = []
  let isBehindGap = false
  for (const message of messages) {
    if (!isKept(message)) {
      isBehindGap = true
      continue
    }
    const last = kept.at(-1)
    if (isBehindGap && last?.role === message.role && last.name === message.name)
      kept[kept.length - 1] = { ...last, parts: [...last.parts, ...message.parts] }
    else kept.push(message)
    isBehindGap = false
  }
  if (kept.length === messages.length) return messages
  const asked = messages.findLast((message) => !isSystem(message))
  const isAskedLost = asked?.role === 'user' && holdsSomething(asked) && !isKept(asked)
  if (isAskedLost || kept.length === 0) throw unreadable(model, unsupported)
  return kept
}
