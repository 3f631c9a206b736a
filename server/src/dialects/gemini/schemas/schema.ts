import { isObject, type JsonObject } from '../../conversation/json.ts'

const nested = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(nested)
  return isObject(value) ? jsonSchema(value) : value
}

const eachOf = (value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, schema]) => [name, isObject(schema) ? jsonSchema(schema) : schema]),
      )
    : value

/** Google's JSON writes int64 as strings. */
const bounds: ReadonlySet<string> = new Set([
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minProperties',
  'maxProperties',
])

const keyword = (name: string, value: unknown): unknown => {
  if (name === 'items' || name === 'anyOf' || name === 'prefixItems') return nested(value)
  return bounds.has(name) && typeof value === 'string' ? Number(value) : value
}

/** Google's schemas write types in upper case and null as the flag `nullable` (ai.google.dev/api/caching#Schema). */
export const jsonSchema = (schema: JsonObject): JsonObject => {
  const { nullable, type, properties, ...rest } = schema
  const lower = typeof type === 'string' ? type.toLowerCase() : type
  return {
    ...(lower === undefined ? {} : { type: nullable === true && typeof lower === 'string' ? [lower, 'null'] : lower }),
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, keyword(name, value)])),
    ...(properties === undefined ? {} : { properties: eachOf(properties) }),
  }
}
