import { isObject, type JsonObject, listOf, membersOf } from '../conversation/json.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'

/**
 * Claude supports few JSON schema keywords, refuses the others, and requires closed objects (platform.claude.com, structured
 * outputs). Unsupported keywords are added to the description, as Anthropic's SDK does (lib/transform-json-schema).
 */

const formats: ReadonlySet<unknown> = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'uri',
  'ipv4',
  'ipv6',
  'uuid',
])

const plain: ReadonlySet<string> = new Set(['type', 'title', 'enum', 'const', '$ref', 'required'])

type Write = (schema: JsonObject) => JsonObject

const eachOf = (schemas: unknown, write: Write): JsonObject =>
  Object.fromEntries(
    Object.entries(membersOf(schemas)).map(([name, definition]) => [
      name,
      isObject(definition) ? write(definition) : definition,
    ]),
  )

/** The keyword as Claude accepts it; undefined if it does not. */
const keyword = (name: string, value: unknown, write: Write): JsonObject | undefined => {
  if (plain.has(name)) return { [name]: value }
  if (name === 'properties' || name === '$defs' || name === 'definitions') return { [name]: eachOf(value, write) }
  if (name === 'items' && isObject(value)) return { items: write(value) }
  if (name === 'anyOf' || name === 'allOf') return { [name]: listOf(value).map((option) => write(membersOf(option))) }
  if (name === 'oneOf') return { anyOf: listOf(value).map((option) => write(membersOf(option))) }
  const isTaken = name === 'format' ? formats.has(value) : name === 'minItems' && (value === 0 || value === 1)
  return isTaken ? { [name]: value } : undefined
}

const isObjectSchema = ({ type, properties }: JsonObject): boolean =>
  type === 'object' || listOf(type).includes('object') || isObject(properties)

const droppedKeywords: ReadonlySet<string> = new Set(['$schema', 'description', 'additionalProperties'])

/** Closes the schema for Claude. `field` becomes unsupported if an object allows any members. */
export const boundSchema = (schema: JsonObject, field: string, unsupported: UnsupportedFields): JsonObject => {
  const write: Write = (node) => {
    const written: Record<string, unknown> = {}
    const notes: string[] = []
    for (const [name, value] of Object.entries(node)) {
      if (droppedKeywords.has(name)) continue
      const taken = keyword(name, value, write)
      if (taken === undefined) notes.push(`${name}: ${JSON.stringify(value)}`)
      else Object.assign(written, taken)
    }
    const description = [node.description, notes.length > 0 ? `{${notes.join(', ')}}` : ''].filter(Boolean).join('\n\n')
    if (description !== '') written.description = description
    if (!isObjectSchema(node)) return written
    const { additionalProperties: more } = node
    if (more !== undefined && more !== false) unsupported.add(`${field}.additionalProperties`)
    return { ...written, properties: written.properties ?? {}, additionalProperties: false }
  }
  return write(schema)
}
