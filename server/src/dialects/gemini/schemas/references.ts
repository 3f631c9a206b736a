import { ownMember } from '@tollgate/contract/own-member'
import { isObject, type JsonObject, textIn } from '../../conversation/json.ts'

/**
 * References in JSON schemas as Google takes them: "If $ref is set on a sub-schema, no other properties, except for those starting
 * as a $, may be set", and the target is one of `$defs` (ai.google.dev/api/generate-content, responseJsonSchema). What a reference
 * stands for is put in its place, with what stands beside it.
 */

/** Schemas that are put in the places of references; a few references can stand for any number. */
const mostCopies = 1000

const isPlain = (schema: JsonObject, reference: string): boolean =>
  /^#\/\$defs\/[^/]+$/.test(reference) && Object.keys(schema).every((name) => name.startsWith('$'))

/** Value at a JSON pointer of the same document. */
const targetOf = (reference: string, root: JsonObject): unknown => {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return undefined
  return reference
    .slice(2)
    .split('/')
    .map((step) => decoded(step).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, step) => {
      if (Array.isArray(value)) return value[Number(step)]
      return isObject(value) ? ownMember(value, step) : undefined
    }, root)
}

const decoded = (step: string): string => {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}

interface Walk {
  readonly root: JsonObject
  copies: number
}

/** `within` are the references whose targets are being written: one of them again would have no end. */
const written = (value: unknown, walk: Walk, within: readonly string[]): unknown => {
  if (Array.isArray(value)) return value.map((entry) => written(entry, walk, within))
  if (!isObject(value)) return value
  const reference = textIn(value.$ref)
  if (reference === undefined || isPlain(value, reference)) return eachMember(value, walk, within)
  const target = targetOf(reference, walk.root)
  const { $ref: _, ...beside } = value
  if (!isObject(target)) return eachMember(beside, walk, within)
  walk.copies += 1
  if (within.includes(reference) || walk.copies > mostCopies) return onlyReference(reference, beside)
  return eachMember({ ...target, ...beside }, walk, [...within, reference])
}

/** A reference that cannot be resolved stays alone; without a definition that Google finds, nothing is left of it. */
const onlyReference = (reference: string, beside: JsonObject): JsonObject =>
  /^#\/\$defs\/[^/]+$/.test(reference) ? { $ref: reference } : { ...beside, type: beside.type ?? 'object' }

const eachMember = (schema: JsonObject, walk: Walk, within: readonly string[]): JsonObject => {
  const reference = textIn(schema.$ref)
  // The target of a reference may be a reference itself.
  if (reference !== undefined && !isPlain(schema, reference)) return written(schema, walk, within) as JsonObject
  return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, written(value, walk, within)]))
}

const mentions = (value: unknown, name: string): boolean => {
  if (Array.isArray(value)) return value.some((entry) => mentions(entry, name))
  return (
    isObject(value) && (Object.hasOwn(value, name) || Object.values(value).some((member) => mentions(member, name)))
  )
}

/** The schema with references that Google takes; the same one where they are. */
export const withoutBesides = (schema: JsonObject): JsonObject => {
  if (!mentions(schema, '$ref')) return schema
  const { $defs, definitions, ...rest } = schema
  const walk: Walk = { root: schema, copies: 0 }
  const own = written(rest, walk, []) as JsonObject
  if ($defs === undefined || !mentions(own, '$ref')) return own
  return { ...own, $defs: written($defs, walk, []) }
}

/** True for a value that Google would read as one with references: it refuses such results of functions. */
export const holdsReferences = (value: unknown): boolean => mentions(value, '$ref') || mentions(value, '$defs')
