import { editMembers, membersOf, stringEnd } from './json-edit.ts'

const quote = 34
const colon = 58

/** Members as they are written: each has a colon outside of texts. */
const writtenMembers = (json: Buffer): number => {
  let count = 0
  for (let at = 0; at < json.length; ) {
    if (json[at] === quote) {
      at = stringEnd(json, at)
      continue
    }
    if (json[at] === colon) count += 1
    at += 1
  }
  return count
}

/** Members of all objects in a value. */
const parsedMembers = (value: unknown): number => {
  let count = 0
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    const inner: readonly unknown[] = Object.values(next)
    if (!Array.isArray(next)) count += inner.length
    for (const one of inner) if (typeof one === 'object') open.push(one)
  }
  return count
}

/**
 * True if an object repeats a member. Parsers disagree which of the two counts, so its provider may read another value. `value` is the
 * parsed JSON.
 */
export const hasTwins = (json: Buffer, value: unknown): boolean => writtenMembers(json) > parsedMembers(value)

/** A letter or underscore written as an escape, by which JSON hides a name from a search. */
const escapedLetter = /\\u00(?:4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9a])/i

/** True if a JSON text writes a letter as an escape, so that a name in it cannot be found by its bytes. */
export const hidesLetters = (json: Buffer): boolean =>
  json.includes('\\u00') && escapedLetter.test(json.toString('latin1'))

const mayStandTwice = (json: Buffer, name: string): boolean => {
  const written = `"${name}"`
  const first = json.indexOf(written)
  return first < 0 || json.indexOf(written, first + written.length) >= 0
}

/**
 * The object `json` with its repeated top-level members among these set to the value in `parsed`: a provider that reads the first one
 * then reads the same. The same buffer where none is repeated, which is nearly always known without scanning the text.
 */
export const withoutTwins = (
  json: Buffer,
  parsed: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Buffer => {
  const isSuspect = names.some((name) => Object.hasOwn(parsed, name) && mayStandTwice(json, name)) || hidesLetters(json)
  if (!isSuspect) return json
  const members = membersOf(json)
  const last = new Map(members.map((member) => [member.name, member]))
  if (last.size === members.length) return json
  const values = [...last].map(([name, { valueStart, valueEnd }]): [string, string] => [
    name,
    json.toString('utf8', valueStart, valueEnd),
  ])
  const counts = Map.groupBy(members, ({ name }) => name)
  return editMembers(json, Object.fromEntries(values.filter(([name]) => (counts.get(name)?.length ?? 0) > 1)))
}
