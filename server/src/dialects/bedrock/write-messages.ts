import type { Message } from '../conversation/conversation.ts'
import { assistantBegan, attached } from '../conversation/gaps/filler-texts.ts'
import { type JsonObject, membersOf, textOf } from '../conversation/json.ts'
import { type BlockContext, writeBlock } from './write-blocks.ts'

const isSystem = ({ role }: Message): boolean => role === 'system' || role === 'developer'

/** Joins all system messages into one system prompt. */
export const writeSystem = (messages: readonly Message[], writing: BlockContext): JsonObject[] => {
  const first = messages.findIndex((message) => !isSystem(message))
  if (first >= 0 && messages.slice(first).some(isSystem)) writing.unsupported.add('messages.system.position')
  return messages.filter(isSystem).flatMap(({ parts }) => parts.flatMap((part) => writeBlock(part, writing)))
}

interface Turn {
  readonly role: 'user' | 'assistant'
  readonly content: JsonObject[]
}

const nameOf = ({ document }: JsonObject): string => textOf(membersOf(document).name)

/** Names the documents of a turn without text, which Converse refuses. */
const completed = ({ role, content }: Turn): Turn => {
  const names = content.filter((block) => 'document' in block).map(nameOf)
  if (names.length === 0 || content.some((block) => 'text' in block)) return { role, content }
  return { role, content: [...content, { text: attached(names.join(', ')) }] }
}

export const isWritten =
  ({ unsupported }: Pick<BlockContext, 'unsupported'>) =>
  ({ parts }: Message): boolean =>
    parts.some((part) => writeBlock(part, { unsupported, documents: new Set() }).length > 0)

/** Merges consecutive turns of one role. The first turn is always the user's, and empty ones are left out. */
export const writeMessages = (messages: readonly Message[], writing: BlockContext): Turn[] => {
  const turns: Turn[] = []
  for (const message of messages) {
    if (isSystem(message)) continue
    if (message.name !== undefined) writing.unsupported.add('messages.name')
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = message.parts.flatMap((part) => writeBlock(part, writing))
    if (content.length === 0) continue
    const last = turns.at(-1)
    if (last?.role === role) last.content.push(...content)
    else turns.push({ role, content })
  }
  if (turns[0]?.role === 'assistant') turns.unshift({ role: 'user', content: [{ text: assistantBegan }] })
  return turns.map(completed)
}
