import { isObject, type JsonObject, membersOf } from '../conversation/json.ts'

/**
 * Codex asks OpenAI to encrypt arguments that only another agent may read: `encrypted: true` in the schema of a member
 * (github.com/openai/codex/pull/26210). Other models encrypt nothing, and some answer with no arguments at all
 * (github.com/lidge-jun/opencodex/issues/1774).
 */

const isMarked = (schema: unknown): schema is JsonObject => isObject(schema) && 'encrypted' in schema

/** The schema without such marks; the same where it has none. */
export const plainArguments = (schema: JsonObject): JsonObject => {
  const properties = Object.entries(membersOf(schema.properties))
  if (!properties.some(([, value]) => isMarked(value))) return schema
  const plain = properties.map(([name, value]) => {
    if (!isMarked(value)) return [name, value]
    const { encrypted: _, ...rest } = value
    return [name, rest]
  })
  return { ...schema, properties: Object.fromEntries(plain) }
}

/** A tool of Responses, or a namespace of tools, without the mark of encrypted arguments; the same where none is marked. */
export const withoutEncryption = (tool: JsonObject): JsonObject => {
  if (Array.isArray(tool.tools)) {
    const within = tool.tools.map((inner) => (isObject(inner) ? withoutEncryption(inner) : inner))
    return within.some((inner, place) => inner !== (tool.tools as unknown[])[place]) ? { ...tool, tools: within } : tool
  }
  const { parameters } = tool
  if (!isObject(parameters)) return tool
  const plain = plainArguments(parameters)
  return plain === parameters ? tool : { ...tool, parameters: plain }
}
