import { ownMember } from '@tollgate/contract/own-member'
import { noUsage, type Usage } from '../../billing/usage.ts'
import { usageFromOpenai } from '../../billing/usage-openai.ts'
import { membersOf } from '../../dialects/conversation/json.ts'
import { withChatExtras } from '../../dialects/openai-chat/tools-used.ts'

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? ownMember(value as Record<string, unknown>, name) : undefined

const first = (value: unknown): unknown => (Array.isArray(value) ? (value as unknown[])[0] : undefined)

/** Usage of an answer or a stream's event, wherever it stands: Groq and Moonshot have places of their own. */
export const usageOf = (answer: unknown): Usage | undefined => {
  const usage =
    usageFromOpenai(member(answer, 'usage')) ??
    usageFromOpenai(member(member(answer, 'x_groq'), 'usage')) ??
    usageFromOpenai(member(first(member(answer, 'choices')), 'usage'))
  return withChatExtras(usage, membersOf(answer))
}

/** Jina and Voyage report a total only, SiliconFlow has a place of its own; undefined when there is neither. */
export const usageOfTotal = (answer: unknown): Usage | undefined => {
  const total = member(member(answer, 'usage'), 'total_tokens')
  if (typeof total === 'number' && Number.isSafeInteger(total) && total > 0) return { ...noUsage, input: total }
  return usageFromOpenai(member(member(answer, 'meta'), 'tokens'))
}
