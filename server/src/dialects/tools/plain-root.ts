import { ownMember } from '@tollgate/contract/own-member'
import { isObject, type JsonObject, listOf, membersOf, objectsOf, textIn } from '../conversation/json.ts'

/**
 * Schemas of tools for models that refuse combinators at the root (`plainRoots` in `dialects/facts`): the branches become one
 * object. What no single object can say is told in its description.
 */

const combinators = ['anyOf', 'oneOf', 'allOf'] as const
const refused = [...combinators, 'enum', 'not'] as const

/** Schemas that are looked at for one tool; references can repeat them without end. */
const mostSchemas = 500

const textsIn = (value: unknown): string[] => listOf(value).filter((name): name is string => typeof name === 'string')

/** The schema that a branch stands for, where it is a reference within the same schema. */
const resolved = (branch: JsonObject, root: JsonObject): JsonObject => {
  const [, place = '', name = ''] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(textIn(branch.$ref) ?? '') ?? []
  const target = ownMember(membersOf(ownMember(root, place)), name)
  if (!isObject(target)) return branch
  const { $ref: _, ...beside } = branch
  return { ...target, ...beside }
}

interface ObjectSchema {
  readonly properties: ReadonlyMap<string, readonly unknown[]>
  readonly required: ReadonlySet<string>
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const united = (parts: readonly ObjectSchema[]): Map<string, unknown[]> => {
  const all = new Map<string, unknown[]>()
  for (const { properties } of parts)
    for (const [name, schemas] of properties) {
      const known = all.get(name) ?? []
      for (const schema of schemas) if (!known.some((other) => same(other, schema))) known.push(schema)
      all.set(name, known)
    }
  return all
}

const shared = (sets: readonly ReadonlySet<string>[]): Set<string> => {
  const [first, ...rest] = sets
  return new Set([...(first ?? [])].filter((name) => rest.every((set) => set.has(name))))
}

const objectOf = (schema: JsonObject, root: JsonObject, seen = { schemas: 0 }): ObjectSchema => {
  seen.schemas += 1
  const own: ObjectSchema = {
    properties: new Map(Object.entries(membersOf(schema.properties)).map(([name, value]) => [name, [value]])),
    required: new Set(textsIn(schema.required)),
  }
  if (seen.schemas > mostSchemas) return own
  const parts = [own]
  for (const name of combinators) {
    const branches = objectsOf(schema[name]).map((branch) => objectOf(resolved(branch, root), root, seen))
    if (branches.length === 0) continue
    const sets = branches.map(({ required }) => required)
    const required = name === 'allOf' ? new Set(sets.flatMap((set) => [...set])) : shared(sets)
    parts.push({ properties: united(branches), required })
  }
  return { properties: united(parts), required: new Set(parts.flatMap((part) => [...part.required])) }
}

/** A branch in short: names instead of whole schemas. */
const inShort = (branch: unknown, root: JsonObject): unknown => {
  if (!isObject(branch)) return branch
  const { properties, description: _, ...rest } = resolved(branch, root)
  return { ...rest, ...(isObject(properties) ? { properties: Object.keys(properties) } : {}) }
}

const noteOf = (schema: JsonObject): string =>
  refused
    .filter((name) => schema[name] !== undefined && name !== 'allOf')
    .map((name) => {
      const value = schema[name]
      return `${name}: ${JSON.stringify(Array.isArray(value) ? value.map((branch) => inShort(branch, schema)) : value)}`
    })
    .join(', ')

/** True if a schema of a tool has a combinator at its root. */
export const hasCombinedRoot = (schema: unknown): schema is JsonObject =>
  isObject(schema) && refused.some((name) => schema[name] !== undefined)

/** The schema as one object. */
export const plainRoot = (schema: JsonObject): JsonObject => {
  const { properties, required } = objectOf(schema, schema)
  const left = Object.fromEntries(Object.entries(schema).filter(([name]) => !refused.some((other) => other === name)))
  const note = noteOf(schema)
  const description = [schema.description, note === '' ? '' : `{${note}}`].filter(Boolean).join('\n\n')
  return {
    ...left,
    type: 'object',
    ...(description === '' ? {} : { description }),
    properties: Object.fromEntries(
      [...properties].map(([name, schemas]) => [name, schemas.length === 1 ? schemas[0] : { anyOf: schemas }]),
    ),
    ...(required.size === 0 ? {} : { required: [...required] }),
  }
}
