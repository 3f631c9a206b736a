import { isObject, type JsonObject } from '@tollgate/contract/json'
import { findAttribute, type ResourceSchema } from './attributes.ts'
import { attributePathOf } from './filter.ts'
import { type Resource, sortKeyOf } from './matching.ts'
import { badRequest } from './scim-error.ts'

/** Which attributes an answer holds: those that are asked for, or all but some. */
export interface Choice {
  readonly attributes: readonly string[]
  readonly excluded: readonly string[]
}

const mostNames = 200

/** Names of attributes, separated by commas or as a list. */
export const namesIn = (value: unknown): string[] => {
  const names = (Array.isArray(value) ? value.map(String) : String(value ?? '').split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.length > mostNames) throw badRequest('tooMany', `At most ${mostNames} attributes can be named.`)
  return names
}

interface Named {
  /** Attributes that are named whole, `extension attribute` each, and extensions. */
  readonly whole: ReadonlySet<string>
  /** Parts of attributes, by the attribute. */
  readonly parts: ReadonlyMap<string, ReadonlySet<string>>
}

const placeOf = (extension: string | undefined, name: string): string => `${extension ?? ''} ${name}`

const readNames = (schema: ResourceSchema, names: readonly string[]): Named => {
  const whole = new Set<string>()
  const parts = new Map<string, Set<string>>()
  for (const name of names) {
    const extension = schema.extensions.find(({ id }) => id.toLowerCase() === name.toLowerCase())
    if (extension !== undefined) whole.add(placeOf(undefined, extension.id))
    const path = attributePathOf(name)
    const found = path && findAttribute(schema, path)
    if (found === undefined) continue
    const place = placeOf(found.extension, found.attribute.name)
    if (found.sub === undefined) whole.add(place)
    else parts.set(place, (parts.get(place) ?? new Set()).add(found.sub.name))
  }
  return { whole, parts }
}

const withParts = (value: unknown, keeps: (name: string) => boolean): unknown => {
  if (Array.isArray(value)) return value.map((one) => withParts(one, keeps))
  return isObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => keeps(name))) : value
}

const always: ReadonlySet<string> = new Set(['schemas', 'id'])

const projected = (
  of: JsonObject,
  names: Named,
  asked: boolean,
  { extensions, extension }: { readonly extensions: ReadonlySet<string>; readonly extension?: string },
): Resource => {
  const { whole, parts } = names
  const kept = (name: string, value: unknown): unknown => {
    const place = placeOf(extension, name)
    const named = parts.get(place)
    if (extension === undefined && always.has(name)) return value
    if (extensions.has(name) && isObject(value) && !whole.has(place)) {
      const inner = projected(value, names, asked, { extensions: new Set(), extension: name })
      return Object.keys(inner).length > 0 ? inner : undefined
    }
    if (whole.has(place)) return asked ? value : undefined
    if (named !== undefined) return withParts(value, (part) => named.has(part) === asked)
    return asked ? undefined : value
  }
  return Object.fromEntries(
    Object.entries(of).flatMap(([name, value]) => {
      const part = kept(name, value)
      return part === undefined ? [] : [[name, part]]
    }),
  )
}

/** The part of a resource that was asked for; `id` and `schemas` are always there. */
export const chosen = (schema: ResourceSchema, { attributes, excluded }: Choice): ((of: Resource) => Resource) => {
  const asked = attributes.length > 0
  if (!asked && excluded.length === 0) return (of) => of
  const named = readNames(schema, asked ? attributes : excluded)
  const extensions = new Set(schema.extensions.map(({ id }) => id))
  return (of) => projected(of, named, asked, { extensions })
}

/** True where the answer holds an attribute of the resource itself, so that it need not be read otherwise. */
export const includes = (schema: ResourceSchema, { attributes, excluded }: Choice, name: string): boolean => {
  const place = placeOf(undefined, name)
  if (attributes.length > 0) {
    const { whole, parts } = readNames(schema, attributes)
    return whole.has(place) || parts.has(place)
  }
  return !readNames(schema, excluded).whole.has(place)
}

/** Sorts resources by an attribute; those without it come last, in descending order first. Throws ScimError `invalidPath`. */
export const sorted = (
  schema: ResourceSchema,
  resources: readonly Resource[],
  { by, descending }: { readonly by: string; readonly descending: boolean },
): Resource[] => {
  const path = attributePathOf(by)
  const found = path && findAttribute(schema, path)
  if (found === undefined) throw badRequest('invalidPath', 'sortBy names no attribute.')
  const sign = descending ? -1 : 1
  return resources
    .map((resource) => ({ resource, key: sortKeyOf(resource, found) }))
    .toSorted((left, right) => {
      if (left.key === undefined || right.key === undefined)
        return sign * (Number(left.key === undefined) - Number(right.key === undefined))
      if (left.key === right.key) return 0
      return left.key < right.key ? -sign : sign
    })
    .map(({ resource }) => resource)
}
