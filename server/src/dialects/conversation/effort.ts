import type { Effort, Reasoning } from './conversation.ts'

const efforts: ReadonlySet<string> = new Set(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])

export const effortIn = (value: unknown): Effort | undefined =>
  typeof value === 'string' && efforts.has(value) ? (value as Effort) : undefined

/** Budgets in tokens for providers that have no efforts. */
const budgets: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 16_384,
  xhigh: 32_768,
  max: 63_999,
}

/** The requested reasoning budget in tokens; undefined if the client requests none. */
export const budgetOf = ({ effort, budget }: Reasoning): number | undefined =>
  budget ?? (effort === undefined ? undefined : budgets[effort])

/** The requested effort, for providers that have no budgets; undefined leaves it to the model. */
export const effortOf = ({ effort, budget }: Reasoning): Effort | undefined => {
  if (effort !== undefined) return effort
  if (budget === undefined || budget < 0) return undefined
  if (budget === 0) return 'none'
  if (budget <= 2048) return 'low'
  return budget <= 12_288 ? 'medium' : 'high'
}
