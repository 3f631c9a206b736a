import type { Conversation, Message, Part, ThinkingPart } from '../conversation.ts'

const sealer = 'openai-responses'

/** Ciphertext of reasoning that only OpenAI's account that made it can read. */
export const sealOf = ({ by, encrypted }: Pick<ThinkingPart, 'by' | 'encrypted'>): string | undefined =>
  by === sealer ? encrypted : undefined

const sealIn = (part: Part): string | undefined => (part.kind === 'thinking' ? sealOf(part) : undefined)

export const sealsIn = ({ messages }: Pick<Conversation, 'messages'>): string[] =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => sealIn(part) ?? []))

/** The conversation without the reasoning that an account cannot read. */
export const withoutSeals = (conversation: Conversation, isUnreadable: (seal: string) => boolean): Conversation => {
  const isKept = (part: Part): boolean => {
    const seal = sealIn(part)
    return seal === undefined || !isUnreadable(seal)
  }
  const kept = (message: Message): Message => ({ ...message, parts: message.parts.filter(isKept) })
  return { ...conversation, messages: conversation.messages.map(kept) }
}
