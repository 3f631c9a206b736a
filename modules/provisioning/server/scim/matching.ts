import { isObject, type JsonObject } from '@tollgate/contract/json'
import { ownMember } from '@tollgate/contract/own-member'
import {
  type Attribute,
  attributeNamed,
  type FoundAttribute,
  findAttribute,
  type ResourceSchema,
} from './attributes.ts'
import type { AttributePath, CompareOperator, CompareValue, Filter } from './filter.ts'
import { badRequest } from './scim-error.ts'

/** A resource with its attributes under their own names. */
export type Resource = Record<string, unknown>
export type Matches = (of: JsonObject) => boolean

const refuse = (detail: string): never => {
  throw badRequest('invalidFilter', detail)
}

const inOrder = (operator: CompareOperator, difference: number): boolean => {
  switch (operator) {
    case 'gt':
      return difference > 0
    case 'ge':
      return difference >= 0
    case 'lt':
      return difference < 0
    default:
      return difference <= 0
  }
}

const isOrder = (operator: CompareOperator): boolean => ['gt', 'ge', 'lt', 'le'].includes(operator)

const comparesText = (operator: CompareOperator, wanted: string, folds: boolean): ((text: string) => boolean) => {
  const fold = (text: string): string => (folds ? text.toLowerCase() : text)
  const other = fold(wanted)
  const test = (text: string): boolean => {
    switch (operator) {
      case 'eq':
        return text === other
      case 'co':
        return text.includes(other)
      case 'sw':
        return text.startsWith(other)
      case 'ew':
        return text.endsWith(other)
      default:
        return inOrder(operator, text < other ? -1 : Number(text > other))
    }
  }
  return (text) => test(fold(text))
}

/** `"True"` for `true`, as Entra ID writes it. */
const truthOf = (value: CompareValue): boolean | undefined => {
  if (typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value.toLowerCase() : ''
  return text === 'true' || text === 'false' ? text === 'true' : undefined
}

/** Test of one value of an attribute against the relation; `ne` is made from `eq` as its opposite. */
const comparesOne = (
  attribute: Attribute,
  operator: CompareOperator,
  value: CompareValue,
): ((of: unknown) => boolean) => {
  if (attribute.type === 'boolean') {
    if (operator !== 'eq')
      return refuse(`The operator ${operator} does not fit ${attribute.name}, which is true or false.`)
    const wanted = truthOf(value)
    return (of) => wanted !== undefined && of === wanted
  }
  if (attribute.type === 'binary' && isOrder(operator))
    return refuse(`The operator ${operator} does not fit ${attribute.name}.`)
  if (typeof value !== 'string' && operator !== 'eq')
    return refuse(`The operator ${operator} needs a text in quotes for ${attribute.name}.`)
  const wanted = typeof value === 'string' ? value : String(value)
  if (attribute.type === 'dateTime' && (operator === 'eq' || isOrder(operator))) {
    const time = Date.parse(wanted)
    if (Number.isNaN(time))
      return refuse(`${attribute.name} is compared with a date and time such as 2026-01-31T08:00:00Z.`)
    return (of) => {
      const difference = Date.parse(String(of)) - time
      return operator === 'eq' ? difference === 0 : inOrder(operator, difference)
    }
  }
  const compare = comparesText(operator, wanted, !attribute.caseExact)
  return (of) => typeof of === 'string' && compare(of)
}

const isUnassigned = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

const valuesOf = (of: JsonObject, { extension, attribute }: FoundAttribute): readonly unknown[] => {
  const holder = extension === undefined ? of : ownMember(of, extension)
  const value = isObject(holder) ? ownMember(holder, attribute.name) : undefined
  if (isUnassigned(value)) return []
  return Array.isArray(value) ? value : [value]
}

const partsOf = (values: readonly unknown[], sub: Attribute | undefined): readonly unknown[] =>
  sub === undefined
    ? values
    : values.flatMap((value) =>
        isObject(value) && !isUnassigned(ownMember(value, sub.name)) ? [ownMember(value, sub.name)] : [],
      )

/** The part that counts where a path names none: `emails co "x"` is about their values. */
const comparedPart = ({ attribute, sub }: FoundAttribute): Attribute | undefined =>
  sub ?? (attribute.type === 'complex' ? attributeNamed(attribute.subAttributes ?? [], 'value') : undefined)

type Find = (path: AttributePath) => FoundAttribute | undefined

const compareWith = (filter: Extract<Filter, { kind: 'compare' }>, find: Find): Matches => {
  const found = find(filter.path)
  const negates = filter.operator === 'ne'
  // A missing attribute counts as unassigned.
  if (found === undefined) return () => (filter.value === null ? filter.operator === 'eq' : negates)
  const part = comparedPart(found)
  if (found.attribute.type === 'complex' && part === undefined)
    return refuse(`${found.attribute.name} has parts: name one of them.`)
  const all: (of: JsonObject) => readonly unknown[] = (of) => partsOf(valuesOf(of, found), part)
  if (filter.value === null) {
    if (filter.operator === 'eq') return (of) => all(of).length === 0
    if (negates) return (of) => all(of).length > 0
  }
  const one = comparesOne(part ?? found.attribute, negates ? 'eq' : filter.operator, filter.value)
  return (of) => all(of).some(one) !== negates
}

const compiled = (filter: Filter, find: Find): Matches => {
  switch (filter.kind) {
    case 'and': {
      const parts = filter.parts.map((part) => compiled(part, find))
      return (of) => parts.every((part) => part(of))
    }
    case 'or': {
      const parts = filter.parts.map((part) => compiled(part, find))
      return (of) => parts.some((part) => part(of))
    }
    case 'not': {
      const inner = compiled(filter.of, find)
      return (of) => !inner(of)
    }
    case 'present': {
      const found = find(filter.path)
      if (found === undefined) return () => false
      return (of) =>
        partsOf(valuesOf(of, found), found.sub).some((value) => !isObject(value) || Object.keys(value).length > 0)
    }
    case 'compare':
      return compareWith(filter, find)
    case 'some': {
      const found = find(filter.path)
      const parts = found?.attribute.subAttributes
      if (found === undefined) return () => false
      if (parts === undefined) return refuse(`${found.attribute.name} has no parts.`)
      const inner = matchesPart(filter.of, parts)
      return (of) => valuesOf(of, found).some((value) => isObject(value) && inner(value))
    }
  }
}

/** Test of one value of a list against a filter about its parts. Throws ScimError `invalidFilter`. */
export const matchesPart = (filter: Filter, parts: readonly Attribute[]): Matches =>
  compiled(filter, ({ schema, name, sub }) => {
    const attribute = schema === '' && sub === undefined ? attributeNamed(parts, name) : undefined
    return attribute && { extension: undefined, attribute, sub: undefined }
  })

/** Test of a resource against a filter; attributes that it cannot have count as unassigned. Throws ScimError `invalidFilter`. */
export const matchesFilter = (filter: Filter, schema: ResourceSchema): Matches =>
  compiled(filter, (path) => findAttribute(schema, path))

/** Sort key of a resource: the main value of a list, or its first. Undefined if it has none. */
export const sortKeyOf = (of: JsonObject, found: FoundAttribute): string | undefined => {
  const values = valuesOf(of, found)
  const main = values.find((value) => isObject(value) && value.primary === true) ?? values[0]
  const [key] = partsOf(main === undefined ? [] : [main], comparedPart(found))
  if (key === undefined || isObject(key)) return undefined
  return found.attribute.caseExact ? String(key) : String(key).toLowerCase()
}

/** The text that every match has in an attribute, because the filter asks `attribute eq "text"` and nothing beside it may do. */
export const requiredText = (filter: Filter, schema: ResourceSchema, name: string): string | undefined => {
  if (filter.kind === 'and') {
    for (const part of filter.parts) {
      const text = requiredText(part, schema, name)
      if (text !== undefined) return text
    }
    return undefined
  }
  if (filter.kind !== 'compare' || filter.operator !== 'eq' || typeof filter.value !== 'string') return undefined
  const found = findAttribute(schema, filter.path)
  return found?.attribute.name === name && found.sub === undefined ? filter.value : undefined
}
