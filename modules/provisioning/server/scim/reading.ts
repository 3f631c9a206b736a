import { isObject } from '@tollgate/contract/json'
import { type Attribute, attributeNamed, extensionNamed, type ResourceSchema } from './attributes.ts'
import type { Resource } from './matching.ts'
import { badRequest } from './scim-error.ts'

const longestText = 2000
const mostValues = 100
/** Members of a group, which are the longest list. */
export const mostMembers = 10_000
/** Characters of all attributes of a user together. */
export const longestResource = 32_000

const wrongType = (name: string, what: string): Error => badRequest('invalidValue', `${name} must be ${what}.`)

const readText = (attribute: Attribute, value: unknown): string => {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  if (typeof text !== 'string') throw wrongType(attribute.name, 'a text')
  if (text.length > longestText) throw wrongType(attribute.name, `a text of at most ${longestText} characters`)
  if (text.includes('\0')) throw wrongType(attribute.name, 'a text without NUL')
  return text
}

/** Entra ID writes `"True"` and `"False"`. */
const readTruth = (attribute: Attribute, value: unknown): boolean => {
  if (typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value.toLowerCase() : ''
  if (text === 'true' || text === 'false') return text === 'true'
  throw wrongType(attribute.name, 'true or false')
}

const readParts = (attribute: Attribute, value: unknown): Resource => {
  const parts = attribute.subAttributes ?? []
  // `"manager": "7"` and `"emails": ["a@b.c"]` are about their value.
  const holder = isObject(value) ? value : { value }
  if (!isObject(value) && attributeNamed(parts, 'value') === undefined) throw wrongType(attribute.name, 'an object')
  const read: Resource = {}
  for (const [name, part] of Object.entries(holder)) {
    const known = attributeNamed(parts, name)
    if (known === undefined || known.mutability === 'readOnly') continue
    const of = readValue(known, part)
    if (of !== undefined) read[known.name] = of // own names: of attributes
  }
  return read
}

const readOne = (attribute: Attribute, value: unknown): unknown => {
  if (attribute.type === 'complex') return readParts(attribute, value)
  return attribute.type === 'boolean' ? readTruth(attribute, value) : readText(attribute, value)
}

/** At most one value is the main one: the last that says so. */
const withOneMain = (values: readonly unknown[]): unknown[] => {
  const last = values.findLastIndex((value) => isObject(value) && value.primary === true)
  return values.map((value, index) =>
    isObject(value) && value.primary === true && index !== last ? { ...value, primary: false } : value,
  )
}

const isEmptyObject = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0

/**
 * Reads a value of an attribute under its own names and types; undefined for what is unassigned: null, an empty text or
 * list. Parts that are not known, or that clients may not write, are left out. Throws ScimError `invalidValue`.
 */
export const readValue = (attribute: Attribute, value: unknown): unknown => {
  if (value === null || value === undefined || value === '') return undefined
  if (!attribute.multiValued) {
    const one = readOne(attribute, Array.isArray(value) && value.length === 1 ? value[0] : value)
    return isEmptyObject(one) ? undefined : one
  }
  const list = Array.isArray(value) ? value : [value]
  const most = attribute.name === 'members' ? mostMembers : mostValues
  if (list.length > most) throw wrongType(attribute.name, `a list of at most ${most} values`)
  const values = list.map((one) => readOne(attribute, one)).filter((one) => !isEmptyObject(one) && one !== '')
  return values.length === 0 ? undefined : withOneMain(values)
}

/** The attributes of a resource that clients may write, under their own names. Throws ScimError `invalidValue`, `invalidSyntax`. */
export const readResource = (schema: ResourceSchema, body: unknown): Resource => {
  if (!isObject(body)) throw badRequest('invalidSyntax', 'The body must be a JSON object.')
  const read: Resource = {}
  const writable: readonly Attribute[] = [...schema.attributes, externalId]
  for (const [name, value] of Object.entries(body)) {
    const extension = extensionNamed(schema, name)
    if (extension !== undefined) {
      if (!isObject(value)) continue
      const inner: Resource = {}
      for (const [innerName, innerValue] of Object.entries(value)) {
        const known = attributeNamed(extension.attributes, innerName)
        const of = known && readValue(known, innerValue)
        if (known !== undefined && of !== undefined) inner[known.name] = of // own names: of attributes
      }
      if (Object.keys(inner).length > 0) read[extension.id] = inner // own names: of schemas
      continue
    }
    const known = attributeNamed(writable, name)
    if (known === undefined || known.mutability === 'readOnly') continue
    const of = readValue(known, value)
    if (of !== undefined) read[known.name] = of // own names: of attributes
  }
  return read
}

const externalId: Attribute = {
  name: 'externalId',
  type: 'string',
  multiValued: false,
  description: '',
  required: false,
  caseExact: true,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
}
