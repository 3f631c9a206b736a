export type Json = Readonly<Record<string, unknown>>

/** Untrusted JSON: a value of another type is treated as absent. */
export const recordOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}

/** The list; empty for any other value. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The text; empty for any other value. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A text as it is, other values as JSON, null and undefined as an empty text. */
export const printed = (value: unknown): string => {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}
