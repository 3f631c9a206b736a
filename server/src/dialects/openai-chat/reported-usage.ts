import { ownMember } from '@tollgate/contract/own-member'
import { usageFromTimings } from '../../billing/stated/usage-timings.ts'
import type { Usage } from '../../billing/usage.ts'
import { usageFromOpenai } from '../../billing/usage-openai.ts'
import { membersOf } from '../conversation/json.ts'
import { withChatExtras } from './tools-used.ts'

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? ownMember(value as Record<string, unknown>, name) : undefined

const first = (value: unknown): unknown => (Array.isArray(value) ? (value as unknown[])[0] : undefined)

/** Usage of an answer or of a stream event. Groq reports it in `x_groq`, Moonshot in the first choice, llama.cpp also in `timings`. */
export const reportedUsage = (answer: unknown): Usage | undefined => {
  const usage =
    usageFromOpenai(member(answer, 'usage')) ??
    usageFromOpenai(member(member(answer, 'x_groq'), 'usage')) ??
    usageFromOpenai(member(first(member(answer, 'choices')), 'usage')) ??
    usageFromTimings(member(answer, 'timings'))
  return withChatExtras(usage, membersOf(answer))
}
