import { ownMember } from '@tollgate/contract/own-member'
import { plainOpenaiUsage } from '../../billing/reported/plain-usage.ts'
import type { Usage } from '../../billing/usage.ts'
import { readOpenaiUsage, usageFromTimings } from '../../billing/usage-openai.ts'
import { type JsonObject, membersOf } from '../conversation/json.ts'
import { withChatExtras } from './tools-used.ts'

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? ownMember(value as Record<string, unknown>, name) : undefined

const first = (value: unknown): unknown => (Array.isArray(value) ? (value as unknown[])[0] : undefined)

/** Usage of an answer or of a stream event. Groq reports it in `x_groq`, Moonshot in the first choice, llama.cpp also in `timings`. */
export const reportedUsage = (answer: unknown): Usage | undefined => plainReport(answer) ?? anyReport(answer)

/** The usage of an answer of the standard tier by a model that does not search, where the report is plain. */
const plainReport = (answer: unknown): Usage | undefined => {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return undefined
  const { model, service_tier: tier, usage } = answer as JsonObject
  const isStandard = tier === undefined || tier === null || tier === 'default' || tier === 'standard'
  if (!isStandard || (typeof model === 'string' && model.includes('-search-'))) return undefined
  return plainOpenaiUsage(usage)
}

/** The same in the general way, for reports of every kind. */
export const anyReport = (answer: unknown): Usage | undefined => {
  const usage =
    readOpenaiUsage(member(answer, 'usage')) ??
    readOpenaiUsage(member(member(answer, 'x_groq'), 'usage')) ??
    readOpenaiUsage(member(first(member(answer, 'choices')), 'usage')) ??
    usageFromTimings(member(answer, 'timings'))
  return withChatExtras(usage, membersOf(answer))
}
