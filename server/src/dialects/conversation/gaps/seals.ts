import { thoughtsAt } from '../../facts/models.ts'
import type { Conversation, Message, Part, ThinkingPart } from '../conversation.ts'

/** Identifier of a thought that only its account can read: OpenAI's ciphertext, or the signature of Claude. */
export const sealOf = ({
  by,
  encrypted,
  signature,
}: Pick<ThinkingPart, 'by' | 'encrypted' | 'signature'>): string | undefined => {
  if (by === 'openai-responses') return encrypted
  return by === 'anthropic' ? (encrypted ?? signature) : undefined
}

const sealIn = (part: Part): string | undefined => (part.kind === 'thinking' ? sealOf(part) : undefined)

/** Seals of a request, including those of models that bind nothing to an account, for which no maker is stored. */
export const sealsIn = ({ messages }: Pick<Conversation, 'messages'>): string[] =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => sealIn(part) ?? []))

/** The seal of a thought that `model` has just made; undefined where every account reads it. */
export const sealMade = (
  thought: Pick<ThinkingPart, 'by' | 'encrypted' | 'signature'>,
  model: string,
): string | undefined => (thought.by === 'anthropic' && thoughtsAt(model) !== 'account' ? undefined : sealOf(thought))

/** The conversation without the reasoning that an account cannot read. */
export const withoutSeals = (conversation: Conversation, isUnreadable: (seal: string) => boolean): Conversation => {
  const isKept = (part: Part): boolean => {
    const seal = sealIn(part)
    return seal === undefined || !isUnreadable(seal)
  }
  const kept = (message: Message): Message => ({ ...message, parts: message.parts.filter(isKept) })
  return { ...conversation, messages: conversation.messages.map(kept) }
}
