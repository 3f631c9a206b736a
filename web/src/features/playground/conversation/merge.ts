import type { JsonObject } from '@tollgate/contract/json'
import { ownMember } from '@tollgate/contract/own-member'
import { type ChatConversation, reopened } from './conversation.ts'
import { type ChatMessage, isSettled } from './message.ts'

/** The stored conversation as this window knows it, to tell its own changes from those of other windows. */
export interface Seen {
  /** The messages as they were when they were last read or written; not those that are still growing here. */
  readonly settled: ReadonlyMap<string, ChatMessage>
  /** Every message that this window ever had. */
  readonly knownIds: ReadonlySet<string>
}

const settledOf = ({ messages }: ChatConversation): ReadonlyMap<string, ChatMessage> =>
  new Map(messages.filter(isSettled).map((message) => [message.id, message]))

const isSame = (a: ChatMessage, b: ChatMessage): boolean => {
  const left: JsonObject = { ...a }
  const right: JsonObject = { ...b }
  return Object.keys({ ...left, ...right }).every((key) => {
    const [one, other] = [ownMember(left, key), ownMember(right, key)]
    return one === other || JSON.stringify(one) === JSON.stringify(other)
  })
}

/**
 * Merges a conversation with the stored one. Changes and deletions of this window win; all other changes of other
 * windows are kept.
 */
export const mergedWith = (own: ChatConversation, kept: ChatConversation | undefined, seen: Seen): ChatConversation => {
  if (!kept) return own
  const theirs = new Map(reopened(kept).messages.map((message) => [message.id, message]))
  const messages = own.messages.map((message) => {
    const other = seen.settled.get(message.id) === message ? theirs.get(message.id) : undefined
    return other && !isSame(message, other) ? other : message
  })
  const ids = new Set(messages.map(({ id }) => id))
  for (const message of theirs.values()) {
    const isNew = !ids.has(message.id) && !seen.knownIds.has(message.id)
    if (!isNew || (message.parent !== null && !ids.has(message.parent))) continue
    messages.push(message)
    ids.add(message.id)
  }
  return { ...own, messages, chosen: { ...kept.chosen, ...own.chosen } }
}

/** Tracks the stored state that one window knows. */
export interface Sight {
  /** A conversation as it was read; answers it. */
  read(conversation: ChatConversation): ChatConversation
  /** The known state at the moment when `own` is to be written. */
  of(own: ChatConversation): Seen
  /** Merges `written`, the stored result of `own`, into the open conversation, which may have changed since. */
  takeOver(open: ChatConversation, own: ChatConversation, written: ChatConversation): ChatConversation
}

export const openSight = (): Sight => {
  const knownIds = new Set<string>()
  let settled: Seen['settled'] = new Map()
  const note = ({ messages }: ChatConversation): void => {
    for (const { id } of messages) knownIds.add(id)
  }
  const read = (conversation: ChatConversation): ChatConversation => {
    settled = settledOf(conversation)
    note(conversation)
    return conversation
  }
  return {
    read,
    of: (own) => {
      note(own)
      return { settled, knownIds: new Set(knownIds) }
    },
    takeOver: (open, own, written) => {
      const { messages } = mergedWith(open, written, { settled: settledOf(own), knownIds })
      read(written)
      return messages.some((message, index) => message !== open.messages[index]) ? { ...open, messages } : open
    },
  }
}
