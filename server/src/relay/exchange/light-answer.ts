import { reasonOf } from '../../lib/reason-of.ts'

/** Content of a large answer. `bulky`: too many values remain to transfer them; the main thread reads the whole itself. */
export type LightAnswer =
  | { readonly kind: 'read'; readonly json: unknown }
  | { readonly kind: 'bulky' }
  | { readonly kind: 'malformed'; readonly detail: string }

/** Most values to transfer, which takes a few milliseconds. */
const mostValues = 50_000
/** Longer lists of numbers are vectors. */
const longestNumbers = 64
/** Longer texts under these names are pictures, sound and vectors in base64. */
const longestData = 64 * 1024
const dataNames = new Set(['data', 'b64_json', 'embedding'])
const weightless = new Set(['logprobs', 'logprobsResult'])

const isVector = (value: unknown): boolean =>
  Array.isArray(value) && value.length > longestNumbers && typeof value[0] === 'number'

const isBulk = (name: string, value: unknown): boolean =>
  weightless.has(name) ||
  isVector(value) ||
  (typeof value === 'string' && value.length > longestData && dataNames.has(name))

/** Removes bulky members in place and returns the number of values that remain; of a picture the beginning stays. */
const lighten = (root: unknown): number => {
  const open: unknown[] = [root]
  let values = 0
  while (open.length > 0) {
    const value = open.pop()
    values += 1
    if (typeof value !== 'object' || value === null) continue
    for (const [name, inner] of Object.entries(value)) {
      if (isBulk(name, inner)) Reflect.set(value, name, typeof inner === 'string' ? inner.slice(0, 12) : null)
      else open.push(inner)
    }
  }
  return values
}

/**
 * Reads an answer without its log probabilities, vectors and base64 data, which neither usage, texts, tools, errors nor ids need. Its
 * bytes are forwarded unchanged.
 */
export const lightAnswer = (bytes: Buffer): LightAnswer => {
  try {
    const json: unknown = JSON.parse(bytes.toString())
    return lighten(json) > mostValues ? { kind: 'bulky' } : { kind: 'read', json }
  } catch (error) {
    return { kind: 'malformed', detail: reasonOf(error) }
  }
}
