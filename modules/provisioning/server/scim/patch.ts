import { isObject, type JsonObject } from '@tollgate/contract/json'
import { ownMember } from '@tollgate/contract/own-member'
import {
  type Attribute,
  attributeNamed,
  extensionNamed,
  type FoundAttribute,
  findAttribute,
  type ResourceSchema,
} from './attributes.ts'
import { type Filter, parseTarget, type TargetPath } from './filter.ts'
import { type Matches, matchesPart, type Resource } from './matching.ts'
import { readResource, readValue } from './reading.ts'
import { badRequest } from './scim-error.ts'

type Kind = 'add' | 'replace' | 'remove'

interface Operation {
  readonly kind: Kind
  readonly path: string | undefined
  readonly value: unknown
}

const mostOperations = 1000
const kinds: ReadonlySet<string> = new Set<Kind>(['add', 'replace', 'remove'])
const isKind = (text: string): text is Kind => kinds.has(text)

/** A member of an object, whatever the case of its name. */
const memberOf = (object: JsonObject, name: string): unknown => {
  const key = Object.keys(object).find((one) => one.toLowerCase() === name)
  return key === undefined ? undefined : ownMember(object, key)
}

/** The operations of a PATCH body; Entra ID writes `Add`, `Replace` and `Remove`. Throws ScimError `invalidSyntax`. */
export const readOperations = (body: unknown): Operation[] => {
  const list = isObject(body) ? memberOf(body, 'operations') : undefined
  if (!Array.isArray(list) || list.length === 0) throw badRequest('invalidSyntax', 'Operations must be a list.')
  if (list.length > mostOperations) throw badRequest('tooMany', `At most ${mostOperations} operations are allowed.`)
  return list.map((entry: unknown) => {
    if (!isObject(entry)) throw badRequest('invalidSyntax', 'An operation must be an object.')
    const op = memberOf(entry, 'op')
    const kind = typeof op === 'string' ? op.toLowerCase() : ''
    if (!isKind(kind)) throw badRequest('invalidSyntax', 'op must be add, replace or remove.')
    const path = memberOf(entry, 'path')
    if (path !== undefined && path !== null && typeof path !== 'string')
      throw badRequest('invalidPath', 'path must be a text.')
    const named = typeof path === 'string' && path.trim() !== '' ? path : undefined
    return { kind, path: named, value: memberOf(entry, 'value') }
  })
}

interface FoundPart {
  readonly attribute: Attribute
  readonly sub: Attribute
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value])

/** Identity of a list value: its canonical JSON. */
const nameOf = (value: unknown): string =>
  isObject(value)
    ? JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : JSON.stringify(value)

const united = (present: readonly unknown[], added: readonly unknown[]): unknown[] => {
  const seen = new Set(present.map(nameOf))
  return [
    ...present,
    ...added.filter((value) => {
      const name = nameOf(value)
      if (seen.has(name)) return false
      seen.add(name)
      return true
    }),
  ]
}

/** Of several main values, the one that was set last stays. */
const withMain = (values: readonly unknown[], isSet: (value: unknown) => boolean): unknown[] => {
  const last = values.findLastIndex((value) => isSet(value) && isObject(value) && value.primary === true)
  if (last < 0) return [...values]
  return values.map((value, index) =>
    isObject(value) && value.primary === true && index !== last ? { ...value, primary: false } : value,
  )
}

/** Value to be made from a filter such as `type eq "work" and primary eq true`; undefined if the filter does not determine it. */
const valueOfFilter = (filter: Filter, parts: readonly Attribute[]): Resource | undefined => {
  if (filter.kind === 'and') {
    const all = filter.parts.map((part) => valueOfFilter(part, parts))
    return all.some((one) => one === undefined) ? undefined : Object.assign({}, ...all)
  }
  if (filter.kind !== 'compare' || filter.operator !== 'eq') return undefined
  const part = attributeNamed(parts, filter.path.name)
  const value = part && readValue(part, filter.value)
  return part === undefined || value === undefined ? undefined : { [part.name]: value }
}

const assertWritable = (found: FoundAttribute): void => {
  const { attribute, sub } = found
  if (attribute.mutability === 'readOnly' || sub?.mutability === 'readOnly')
    throw badRequest('mutability', `${attribute.name} is read-only.`)
}

const holderOf = (resource: Resource, extension: string | undefined): Resource => {
  if (extension === undefined) return resource
  const held = ownMember(resource, extension)
  const holder: Resource = isObject(held) ? { ...held } : {}
  resource[extension] = holder // own names: of schemas
  return holder
}

const put = (holder: Resource, name: string, value: unknown): void => {
  const isNothing = value === undefined || (Array.isArray(value) && value.length === 0)
  if (isNothing || (isObject(value) && Object.keys(value).length === 0))
    delete holder[name] // own names: of attributes
  else holder[name] = value // own names: of attributes
}

const assertNotRequired = (attribute: Attribute): void => {
  if (attribute.required) throw badRequest('mutability', `${attribute.name} is required.`)
}

/** The values of a list without those that a value names, as Entra ID asks for members to be removed. */
const withoutNamed = (attribute: Attribute, present: unknown, value: unknown): unknown => {
  const nameIn = (of: unknown): string => (isObject(of) && 'value' in of ? String(of.value) : nameOf(of))
  const names = new Set(asList(readValue(attribute, value)).map(nameIn))
  return asList(present).filter((of) => !names.has(nameIn(of)))
}

/** Attribute after a change of one of its parts: in the one value, or in each of a list. */
const withPart = (present: unknown, { attribute, sub }: FoundPart, { kind, value }: Operation): unknown => {
  const set = (of: unknown): unknown => {
    const changed: Resource = isObject(of) ? { ...of } : {}
    put(changed, sub.name, kind === 'remove' ? undefined : readValue(sub, value))
    return changed
  }
  if (!attribute.multiValued) return set(present)
  const values = asList(present)
  return kind !== 'remove' && values.length === 0 ? [set(undefined)] : values.map(set)
}

/** Attribute after an operation without a filter among its values. */
const wholeChanged = (present: unknown, { attribute, sub }: FoundAttribute, operation: Operation): unknown => {
  if (sub !== undefined) return withPart(present, { attribute, sub }, operation)
  const { kind, value } = operation
  if (kind === 'remove') {
    if (attribute.multiValued && readValue(attribute, value) !== undefined)
      return withoutNamed(attribute, present, value)
    assertNotRequired(attribute)
    return undefined
  }
  const read = readValue(attribute, value)
  if (read === undefined) assertNotRequired(attribute)
  if (attribute.multiValued && kind === 'add') {
    const added = asList(read)
    const names = new Set(added.map(nameOf))
    return withMain(united(asList(present), added), (of) => names.has(nameOf(of)))
  }
  const merges = attribute.type === 'complex' && !attribute.multiValued && isObject(present) && isObject(read)
  return merges ? { ...present, ...read } : read
}

/** List after an operation on the values that a filter chooses, or on parts of them. */
const chosenChanged = (
  held: unknown,
  { attribute, sub }: FoundAttribute,
  operation: Operation,
  filter: Filter,
): unknown => {
  const parts = attribute.subAttributes
  if (parts === undefined || !attribute.multiValued)
    throw badRequest('invalidPath', `${attribute.name} is no list of values with parts.`)
  const { kind, value } = operation
  const matches: Matches = matchesPart(filter, parts)
  const fits = (of: unknown): boolean => isObject(of) && matches(of)
  const present = asList(held)
  if (kind === 'remove' && sub === undefined) return present.filter((of) => !fits(of))
  const changedOf = (of: Resource): Resource => {
    if (sub === undefined) {
      const read = readValue({ ...attribute, multiValued: false }, value)
      return { ...of, ...(isObject(read) ? read : {}) }
    }
    const changed = { ...of }
    put(changed, sub.name, kind === 'remove' ? undefined : readValue(sub, value))
    return changed
  }
  if (present.some(fits)) {
    const changed = present.map((of) => (isObject(of) && matches(of) ? changedOf({ ...of }) : of))
    const touched = new Set(changed.filter((of, index) => of !== present[index]))
    return withMain(changed, (of) => touched.has(of))
  }
  if (kind === 'remove') return present
  // Entra ID sets `emails[type eq "work"].value` where there is none yet, with Add and with Replace.
  const made = kind === 'add' || sub !== undefined ? valueOfFilter(filter, parts) : undefined
  if (made === undefined) throw badRequest('noTarget', `No value of ${attribute.name} fits the path.`)
  const added = changedOf(made)
  return withMain([...present, added], (of) => of === added)
}

const change = (resource: Resource, schema: ResourceSchema, operation: Operation, path: string): void => {
  const extension = extensionNamed(schema, path)
  if (extension !== undefined) {
    if (operation.kind === 'remove')
      delete resource[extension.id] // own names: of schemas
    else changeEach(resource, schema, { ...operation, path: undefined }, `${extension.id}:`)
    return
  }
  const target: TargetPath = parseTarget(path)
  const found = findAttribute(schema, target.path)
  if (found === undefined) {
    // An attribute that is not kept may be set without effect, as in a body of POST.
    if (operation.kind !== 'remove') return
    throw badRequest('noTarget', 'The path names no attribute.')
  }
  assertWritable(found)
  const holder = holderOf(resource, found.extension)
  const held = ownMember(holder, found.attribute.name)
  put(
    holder,
    found.attribute.name,
    target.of === undefined ? wholeChanged(held, found, operation) : chosenChanged(held, found, operation, target.of),
  )
  if (found.extension !== undefined && Object.keys(holder).length === 0) delete resource[found.extension] // own names: of schemas
}

/** Without a path, the members of the value are paths: also `name.givenName` and `urn:…:User:department`, as Entra ID writes. */
const changeEach = (resource: Resource, schema: ResourceSchema, operation: Operation, before = ''): void => {
  if (operation.kind === 'remove') throw badRequest('noTarget', 'remove needs a path.')
  if (!isObject(operation.value)) throw badRequest('invalidValue', 'Without a path, the value must be an object.')
  for (const [name, value] of Object.entries(operation.value)) {
    const isExtension = before === '' && extensionNamed(schema, name) !== undefined
    // Okta sends the id along, others schemas and meta.
    const ignored = before === '' && ['id', 'schemas', 'meta', 'groups'].includes(name.toLowerCase())
    if (ignored || (isExtension && !isObject(value))) continue
    change(resource, schema, { ...operation, value }, before + name)
  }
}

/** Resource after a PATCH; the given one is not changed. Throws ScimError: `invalidPath`, `noTarget`, `mutability`, `invalidValue`. */
export const patched = (resource: Resource, schema: ResourceSchema, operations: readonly Operation[]): Resource => {
  const changed = { ...resource }
  for (const operation of operations) {
    if (operation.path === undefined) changeEach(changed, schema, operation)
    else change(changed, schema, operation, operation.path)
  }
  return readResource(schema, changed)
}
