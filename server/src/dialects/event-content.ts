import { isObject } from './conversation/json.ts'

/** Members that name, number or frame a piece of an answer. All others are the answer itself. */
const framing: ReadonlySet<string> = new Set([
  ...['type', 'id', 'object', 'index', 'role', 'status', 'phase', 'obfuscation'],
  ...['item_id', 'call_id', 'response_id', 'event_id', 'sequence_number', 'output_index', 'content_index'],
])

/** Deeper values count as something: no opening of an answer is so deep. */
const deepest = 12

/**
 * True if a piece of a stream's event holds something of the answer: any text, name or data that is not empty, beside the members
 * that only frame it. Members that nobody knows count, so that what is not understood is not given away.
 */
export const saysSomething = (value: unknown, depth = 0): boolean => {
  if (typeof value === 'string') return value !== ''
  if (typeof value !== 'object' || value === null) return false
  if (depth >= deepest) return true
  if (Array.isArray(value)) return (value as unknown[]).some((item) => saysSomething(item, depth + 1))
  return (
    isObject(value) &&
    Object.entries(value).some(([name, member]) => !framing.has(name) && saysSomething(member, depth + 1))
  )
}
