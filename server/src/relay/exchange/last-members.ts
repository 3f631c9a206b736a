import { isObject, type JsonObject } from '../../dialects/conversation/json.ts'

const openBrace = 123

/** Bytes. Reading a longer end would cost as much as reading everything. */
const longestEnd = 16 * 1024

/**
 * The top-level members of a JSON object from its last `name` on, without parsing the rest: an answer with many vectors takes tens of
 * milliseconds, and its usage stands at the end. undefined where the end alone cannot be parsed; then the whole has to be.
 */
export const lastMembers = (bytes: Buffer, name: string): JsonObject | undefined => {
  if (bytes[0] !== openBrace) return undefined
  // Inside of texts its quotes would be escaped.
  const at = bytes.lastIndexOf(`"${name}"`)
  if (at < 0 || bytes.length - at > longestEnd) return undefined
  try {
    // A tail that closes exactly one object belongs to the outermost.
    const members: unknown = JSON.parse(`{${bytes.toString('utf8', at)}`)
    return isObject(members) ? members : undefined
  } catch {
    return undefined
  }
}
