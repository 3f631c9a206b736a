import fc from 'fast-check'
import { isObject } from '../../../src/dialects/conversation/json.ts'

/** Malformed JSON: one value in it has the wrong type. */

type Path = readonly (string | number)[]

const pathsIn = (value: unknown, path: Path = []): Path[] => {
  const inside = Array.isArray(value)
    ? value.flatMap((entry, at) => pathsIn(entry, [...path, at]))
    : isObject(value)
      ? Object.entries(value).flatMap(([name, entry]) => pathsIn(entry, [...path, name]))
      : []
  return path.length === 0 ? inside : [path, ...inside]
}

const withValue = (value: unknown, [step, ...rest]: Path, other: unknown): unknown => {
  if (step === undefined) return other
  if (Array.isArray(value)) return value.map((entry, at) => (at === step ? withValue(entry, rest, other) : entry))
  if (!isObject(value)) return value
  return { ...value, [step]: withValue(value[step], rest, other) }
}

const others = [null, '', 'x', 0, -1, 1.5, 1e300, true, [], {}, [null], { a: null }, [[]], '{"a":', undefined]

const other: fc.Arbitrary<unknown> = fc.oneof(fc.constantFrom(...others), fc.jsonValue({ maxDepth: 2 }))

/** `value` with up to three of its values replaced by something else. */
export const spoiled = (value: unknown): fc.Arbitrary<unknown> =>
  fc.array(fc.tuple(fc.nat(), other), { minLength: 1, maxLength: 3 }).map((changes) =>
    changes.reduce<unknown>((before, [number, replacement]) => {
      const paths = pathsIn(before)
      const path = paths[number % Math.max(1, paths.length)]
      return path === undefined ? before : withValue(before, path, replacement)
    }, value),
  )
