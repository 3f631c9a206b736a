import type { Message } from '../conversation/conversation.ts'
import type { JsonObject } from '../conversation/json.ts'
import { placeholder, type Writing, writeBlock } from './write-blocks.ts'

const isSystem = ({ role }: Message): boolean => role === 'system' || role === 'developer'

/** Joins all system messages into one system prompt. */
export const writeSystem = (messages: readonly Message[], writing: Writing): JsonObject[] => {
  const first = messages.findIndex((message) => !isSystem(message))
  if (first >= 0 && messages.slice(first).some(isSystem)) writing.unsupported.add('messages.system.position')
  return messages.filter(isSystem).flatMap(({ parts }) => parts.flatMap((part) => writeBlock(part, writing)))
}

interface Turn {
  readonly role: 'user' | 'assistant'
  readonly content: JsonObject[]
}

/** Adds a placeholder text: Converse refuses documents without text and empty turns. */
const completed = ({ role, content }: Turn): Turn => {
  const needsText = content.some((block) => 'document' in block) && !content.some((block) => 'text' in block)
  return content.length === 0 || needsText ? { role, content: [...content, placeholder] } : { role, content }
}

/** Merges consecutive turns of one role. The first turn is always the user's. */
export const writeMessages = (messages: readonly Message[], writing: Writing): Turn[] => {
  const turns: Turn[] = []
  for (const message of messages) {
    if (isSystem(message)) continue
    if (message.name !== undefined) writing.unsupported.add('messages.name')
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = message.parts.flatMap((part) => writeBlock(part, writing))
    const last = turns.at(-1)
    if (last?.role === role) last.content.push(...content)
    else turns.push({ role, content })
  }
  if (turns[0]?.role === 'assistant') turns.unshift({ role: 'user', content: [placeholder] })
  return turns.map(completed)
}
