import type { Usage } from '../billing/usage.ts'
import { usageFromOpenai } from '../billing/usage-openai.ts'

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && name in value ? (value as Record<string, unknown>)[name] : undefined

const first = (value: unknown): unknown => (Array.isArray(value) ? (value as unknown[])[0] : undefined)

/** Usage of an answer or a stream's event, wherever it stands: Groq and Moonshot have places of their own. */
export const usageOf = (answer: unknown): Usage | undefined =>
  usageFromOpenai(member(answer, 'usage')) ??
  usageFromOpenai(member(member(answer, 'x_groq'), 'usage')) ??
  usageFromOpenai(member(first(member(answer, 'choices')), 'usage'))
