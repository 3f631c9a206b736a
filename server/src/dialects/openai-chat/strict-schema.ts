import type { Conversation } from '../conversation/conversation.ts'
import { isObject, type JsonObject, listOf } from '../conversation/json.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'

/**
 * True if OpenAI accepts the schema with `strict`: each object has `additionalProperties: false` and requires all its
 * properties (developers.openai.com/api/docs/guides/structured-outputs).
 */
const isStrict = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.every(isStrict)
  if (!isObject(value)) return true
  const { type, properties, required, additionalProperties } = value
  const isClosed = additionalProperties === false
  if ((type === 'object' || isObject(properties)) && !isClosed) return false
  const needed = new Set(listOf(required))
  if (isObject(properties) && !Object.keys(properties).every((name) => needed.has(name))) return false
  return Object.values(value).every(isStrict)
}

/**
 * Turns `strict` off for schemas that OpenAI would refuse. Other providers allow optional properties in strict schemas. Requests of
 * OpenAI's own dialects keep the flag.
 */
export const strictness = (
  { own }: Conversation,
  { strict, schema }: { readonly strict: boolean | undefined; readonly schema: JsonObject | undefined },
  field: string,
  unsupported: UnsupportedFields,
): boolean | undefined => {
  if (strict !== true || own.dialect.startsWith('openai') || schema === undefined || isStrict(schema)) return strict
  unsupported.add(field)
  return false
}
