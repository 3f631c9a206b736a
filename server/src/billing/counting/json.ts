export type Json = Readonly<Record<string, unknown>>

/** Other people's requests, read without trusting them: anything of another kind is as good as absent. */
export const recordOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Text as it is, anything else as JSON, nothing as nothing. */
export const printed = (value: unknown): string => {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}
