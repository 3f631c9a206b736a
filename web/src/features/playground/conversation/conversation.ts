import { ownMember } from '@tollgate/contract/own-member'
import { completed, type Message, newId } from './message.ts'

/**
 * Questions and answers as a tree: an edited question or another answer is a sibling of the first one, and `chosen`
 * names the child of each message that is shown.
 */
export interface Conversation {
  readonly id: string
  readonly createAt: number
  /** Unix milliseconds of the last change. */
  readonly updateAt: number
  readonly messages: readonly Message[]
  /** Chosen child by parent; the first questions have the parent ''. */
  readonly chosen: Readonly<Record<string, string>>
}

/** The summary of a conversation, for the list. */
export interface Summary {
  readonly id: string
  readonly title: string
  readonly updateAt: number
}

/** One message of the path with its siblings. */
export interface Turn {
  readonly message: Message
  /** Answers of the same round, the message among them; alone unless models are compared. */
  readonly beside: readonly Message[]
  /** From 1. */
  readonly version: number
  readonly versions: number
}

const titleLength = 60

export const emptyConversation = (): Conversation => ({
  id: newId(),
  createAt: Date.now(),
  updateAt: Date.now(),
  messages: [],
  chosen: {},
})

const placeOf = (parent: string | null): string => parent ?? ''
const versionOf = ({ round, id }: Message): string => round ?? id

const childrenOf = ({ messages }: Conversation, parent: string | null): readonly Message[] =>
  messages.filter((message) => message.parent === parent)

const chosenOf = (conversation: Conversation, children: readonly Message[]): Message | undefined =>
  children.find(({ id, parent }) => ownMember(conversation.chosen, placeOf(parent)) === id) ?? children.at(-1)

/** The path that is followed, from the first question on. */
export const turnsOf = (conversation: Conversation): readonly Turn[] => {
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
export const historyOf = (conversation: Conversation, id: string | null): readonly Message[] => {
  const message = conversation.messages.find((entry) => entry.id === id)
  return message ? [...historyOf(conversation, message.parent), message] : []
}

const touched = (conversation: Conversation): Conversation => ({ ...conversation, updateAt: Date.now() })

/** With messages added, the first of which is followed from now on. */
export const withMessages = (conversation: Conversation, messages: readonly Message[]): Conversation => {
  const [first] = messages
  if (!first) return conversation
  return touched({
    ...conversation,
    messages: [...conversation.messages, ...messages],
    chosen: { ...conversation.chosen, [placeOf(first.parent)]: first.id },
  })
}

export const withChange = (
  conversation: Conversation,
  id: string,
  change: (message: Message) => Message,
): Conversation => ({
  ...conversation,
  messages: conversation.messages.map((message) => (message.id === id ? change(message) : message)),
})

/** Without a message and everything that follows from it. */
export const withoutBranch = (conversation: Conversation, id: string): Conversation => {
  const gone = new Set([id])
  // A message comes after its parent.
  for (const { id: each, parent } of conversation.messages) if (parent !== null && gone.has(parent)) gone.add(each)
  return touched({ ...conversation, messages: conversation.messages.filter((message) => !gone.has(message.id)) })
}

export const withChosen = (conversation: Conversation, id: string): Conversation => {
  const message = conversation.messages.find((entry) => entry.id === id)
  if (!message) return conversation
  return { ...conversation, chosen: { ...conversation.chosen, [placeOf(message.parent)]: id } }
}

/** The version before (−1) or after (1) the one that this message belongs to. */
export const withVersion = (conversation: Conversation, id: string, by: -1 | 1): Conversation => {
  const message = conversation.messages.find((entry) => entry.id === id)
  if (!message) return conversation
  const children = childrenOf(conversation, message.parent)
  const versions = [...new Set(children.map(versionOf))]
  const next = versions[versions.indexOf(versionOf(message)) + by]
  const first = children.find((child) => versionOf(child) === next)
  return first ? withChosen(conversation, first.id) : conversation
}

export const summaryOf = ({ id, updateAt, messages }: Conversation): Summary => ({
  id,
  updateAt,
  title: (messages.find(({ role }) => role === 'user')?.content.trim() ?? '').slice(0, titleLength),
})

/** As it was kept: an answer that was growing then has ended. */
export const reopened = (conversation: Conversation): Conversation => ({
  ...conversation,
  messages: conversation.messages.map((message) => completed(message, message.totalMs ?? 0, { stopped: true })),
})
