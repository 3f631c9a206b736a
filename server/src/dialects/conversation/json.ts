import { isObject, type JsonObject, parseJson } from '@tollgate/contract/json'
import { statedCount } from '../../billing/reported/counts.ts'
import { mostReported } from '../../billing/usage.ts'

export { isObject, type JsonObject, parseJson as parsedJson }

export const membersOf = (value: unknown): JsonObject => (isObject(value) ? value : {})

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])

export const objectsOf = (value: unknown): readonly JsonObject[] => listOf(value).filter(isObject)

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

export const numberIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

/** Reads a reported count: 0 for invalid values, at most `mostReported`. */
export const countOf = (value: unknown): number => {
  const count = statedCount(value)
  return typeof count === 'number' && count > 0 && (Number.isInteger(count) || count === Number.POSITIVE_INFINITY)
    ? Math.min(count, mostReported)
    : 0
}

export const flagIn = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)

/** Removes undefined members, so that `in` and `Object.keys` do not see them. */
export const defined = <T extends object>(members: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }

export const without = (members: JsonObject, names: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.has(name)))

/** The object of an event. Some providers put their errors into a list. */
export const objectIn = (data: string): JsonObject | undefined => {
  const value = parseJson(data)
  return isObject(value) ? value : objectsOf(value)[0]
}
