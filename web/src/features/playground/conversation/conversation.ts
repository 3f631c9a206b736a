import { ownMember } from '@tollgate/contract/own-member'
import { type ChatMessage, completed, newId } from './message.ts'

/**
 * Questions and answers as a tree: an edited question or another answer is a sibling of the first one, and `chosen`
 * names the child of each message that is shown.
 */
export interface ChatConversation {
  readonly id: string
  readonly createAt: number
  /** Unix milliseconds of the last change. */
  readonly updateAt: number
  readonly messages: readonly ChatMessage[]
  /** Chosen child by parent; the first questions have the parent ''. */
  readonly chosen: Readonly<Record<string, string>>
}

/** The summary of a conversation, for the list. */
export interface ConversationSummary {
  readonly id: string
  readonly title: string
  readonly updateAt: number
}

/** One message of the path with its siblings. */
export interface Turn {
  readonly message: ChatMessage
  /** Answers of the same round, the message among them; alone unless models are compared. */
  readonly beside: readonly ChatMessage[]
  /** From 1. */
  readonly version: number
  readonly versions: number
}

const titleLength = 60

export const emptyConversation = (): ChatConversation => ({
  id: newId(),
  createAt: Date.now(),
  updateAt: Date.now(),
  messages: [],
  chosen: {},
})

const placeOf = (parent: string | null): string => parent ?? ''
const versionOf = ({ round, id }: ChatMessage): string => round ?? id

const childrenOf = ({ messages }: ChatConversation, parent: string | null): readonly ChatMessage[] =>
  messages.filter((message) => message.parent === parent)

const chosenOf = (conversation: ChatConversation, children: readonly ChatMessage[]): ChatMessage | undefined =>
  children.find(({ id, parent }) => ownMember(conversation.chosen, placeOf(parent)) === id) ?? children.at(-1)

/** The path that is followed, from the first question on. */
export const turnsOf = (conversation: ChatConversation): readonly Turn[] => {
  const turns: Turn[] = []
  let parent: string | null = null
  for (;;) {
    const children = childrenOf(conversation, parent)
    const message = chosenOf(conversation, children)
    if (!message) return turns
    const versions = [...new Set(children.map(versionOf))]
    turns.push({
      message,
      beside: children.filter((child) => versionOf(child) === versionOf(message)),
      version: versions.indexOf(versionOf(message)) + 1,
      versions: versions.length,
    })
    parent = message.id
  }
}

/** The messages from the first question to this one. */
export const historyOf = (conversation: ChatConversation, id: string | null): readonly ChatMessage[] => {
  const message = conversation.messages.find((entry) => entry.id === id)
  return message ? [...historyOf(conversation, message.parent), message] : []
}

const touched = (conversation: ChatConversation): ChatConversation => ({ ...conversation, updateAt: Date.now() })

/** With messages added, the first of which is followed from now on. */
export const withMessages = (conversation: ChatConversation, messages: readonly ChatMessage[]): ChatConversation => {
  const [first] = messages
  if (!first) return conversation
  return touched({
    ...conversation,
    messages: [...conversation.messages, ...messages],
    chosen: { ...conversation.chosen, [placeOf(first.parent)]: first.id },
  })
}

export const withChange = (
  conversation: ChatConversation,
  id: string,
  change: (message: ChatMessage) => ChatMessage,
): ChatConversation => ({
  ...conversation,
  messages: conversation.messages.map((message) => (message.id === id ? change(message) : message)),
})

/** Without a message and everything that follows from it. */
export const withoutBranch = (conversation: ChatConversation, id: string): ChatConversation => {
  const gone = new Set([id])
  // A message comes after its parent.
  for (const { id: each, parent } of conversation.messages) if (parent !== null && gone.has(parent)) gone.add(each)
  return touched({ ...conversation, messages: conversation.messages.filter((message) => !gone.has(message.id)) })
}

export const withChosen = (conversation: ChatConversation, id: string): ChatConversation => {
  const message = conversation.messages.find((entry) => entry.id === id)
  if (!message) return conversation
  return { ...conversation, chosen: { ...conversation.chosen, [placeOf(message.parent)]: id } }
}

/** The version before (−1) or after (1) the one that this message belongs to. */
export const withVersion = (conversation: ChatConversation, id: string, by: -1 | 1): ChatConversation => {
  const message = conversation.messages.find((entry) => entry.id === id)
  if (!message) return conversation
  const children = childrenOf(conversation, message.parent)
  const versions = [...new Set(children.map(versionOf))]
  const next = versions[versions.indexOf(versionOf(message)) + by]
  const first = children.find((child) => versionOf(child) === next)
  return first ? withChosen(conversation, first.id) : conversation
}

export const summaryOf = ({ id, updateAt, messages }: ChatConversation): ConversationSummary => ({
  id,
  updateAt,
  title: (messages.find(({ role }) => role === 'user')?.content.trim() ?? '').slice(0, titleLength),
})

/** As it was kept: an answer that was growing then has ended. */
export const reopened = (conversation: ChatConversation): ChatConversation => ({
  ...conversation,
  messages: conversation.messages.map((message) => completed(message, message.totalMs ?? 0, { stopped: true })),
})
