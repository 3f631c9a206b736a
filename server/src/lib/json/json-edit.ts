import { ownMember } from '@tollgate/contract/own-member'

/**
 * Edits JSON as bytes. Bytes outside the edited members stay unchanged, so numbers keep their digits. The text must be valid JSON;
 * nothing is validated here.
 */

const quote = 34
const backslash = 92
const openBrace = 123
const closeBrace = 125
const openBracket = 91
const closeBracket = 93
const comma = 44
const colon = 58

/** Byte positions of one member of an object. */
export interface Member {
  readonly name: string
  readonly start: number
  readonly valueStart: number
  readonly valueEnd: number
}

/** Replaces the bytes from `start` to `end` by `text`. */
export interface Splice {
  readonly start: number
  readonly end: number
  readonly text: string
}

const isSpace = (byte: number | undefined): boolean => byte === 32 || byte === 10 || byte === 13 || byte === 9

const skipSpace = (json: Buffer, from: number): number => {
  let at = from
  while (isSpace(json[at])) at += 1
  return at
}

/** Index after the string that begins at `from`. */
export const stringEnd = (json: Buffer, from: number): number => {
  let at = from
  for (;;) {
    at = json.indexOf(quote, at + 1)
    if (at < 0) return json.length
    let backslashes = 0
    while (json[at - 1 - backslashes] === backslash) backslashes += 1
    if (backslashes % 2 === 0) return at + 1
  }
}

const isOpening = (byte: number | undefined): boolean => byte === openBrace || byte === openBracket
const isClosing = (byte: number | undefined): boolean => byte === closeBrace || byte === closeBracket

const nestedEnd = (json: Buffer, from: number): number => {
  let depth = 0
  let at = from
  while (at < json.length) {
    const byte = json[at]
    if (byte === quote) {
      at = stringEnd(json, at)
      continue
    }
    if (isOpening(byte)) depth += 1
    if (isClosing(byte)) depth -= 1
    at += 1
    if (depth === 0) return at
  }
  return at
}

/** Index after the value that begins at `from`. */
export const valueEnd = (json: Buffer, from: number): number => {
  if (json[from] === quote) return stringEnd(json, from)
  if (isOpening(json[from])) return nestedEnd(json, from)
  let at = from
  while (at < json.length && json[at] !== comma && !isClosing(json[at]) && !isSpace(json[at])) at += 1
  return at
}

/** The members of the object whose brace stands at `from` (spaces before it are skipped), in their order. */
export const membersOf = (json: Buffer, from = 0): Member[] => {
  const members: Member[] = []
  let at = skipSpace(json, from) + 1
  for (;;) {
    const start = skipSpace(json, at)
    if (json[start] !== quote) return members
    const nameEnd = stringEnd(json, start)
    const name: unknown = JSON.parse(json.toString('utf8', start, nameEnd))
    const afterName = skipSpace(json, nameEnd)
    const valueStart = skipSpace(json, json[afterName] === colon ? afterName + 1 : afterName)
    const end = valueEnd(json, valueStart)
    members.push({ name: String(name), start, valueStart, valueEnd: end })
    at = skipSpace(json, end)
    if (json[at] !== comma) return members
    at += 1
  }
}

/** Start indexes of the elements of the list at `from`; empty when the value is not a list. */
export const elements = (json: Buffer, from: number): number[] => {
  const starts: number[] = []
  let at = skipSpace(json, from)
  if (json[at] !== openBracket) return starts
  do {
    at = skipSpace(json, at + 1)
    if (json[at] === closeBracket) return starts
    starts.push(at)
    at = skipSpace(json, valueEnd(json, at))
  } while (json[at] === comma)
  return starts
}

/** Applies splices that do not overlap. */
export const splice = (json: Buffer, splices: readonly Splice[]): Buffer => {
  const parts: Buffer[] = []
  let at = 0
  for (const { start, end, text } of [...splices].sort((a, b) => a.start - b.start)) {
    parts.push(json.subarray(at, start), Buffer.from(text))
    at = end
  }
  parts.push(json.subarray(at))
  return Buffer.concat(parts)
}

/** Removes members with the comma before them, or with the one behind them when no earlier member stays. */
const removals = (members: readonly Member[], isRemoved: (member: Member) => boolean): Splice[] => {
  const splices: Splice[] = []
  let kept = false
  for (const [index, member] of members.entries()) {
    if (!isRemoved(member)) {
      kept = true
      continue
    }
    const start = kept ? (members[index - 1]?.valueEnd ?? member.start) : member.start
    const end = kept ? member.valueEnd : (members[index + 1]?.start ?? member.valueEnd)
    splices.push({ start, end, text: '' })
  }
  return splices
}

/**
 * Replaces, adds (at the end) and removes members of the object `json`. A change is the new value as JSON text; undefined removes
 * the member. All occurrences of a duplicate member are changed.
 */
export const editMembers = (json: Buffer, changes: Readonly<Record<string, string | undefined>>): Buffer => {
  const members = membersOf(json)
  const changed = (name: string): boolean => Object.hasOwn(changes, name)
  const splices = removals(members, ({ name }) => changed(name) && ownMember(changes, name) === undefined)
  for (const member of members) {
    const text = ownMember(changes, member.name)
    if (changed(member.name) && text !== undefined) {
      splices.push({ start: member.valueStart, end: member.valueEnd, text })
    }
  }
  const names = new Set(members.map(({ name }) => name))
  const added = Object.entries(changes).filter(([name, text]) => text !== undefined && !names.has(name))
  if (added.length > 0) {
    const end = json.lastIndexOf(closeBrace)
    const remains = members.some(({ name }) => !changed(name) || ownMember(changes, name) !== undefined)
    const text = added.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')
    splices.push({ start: end, end, text: remains ? `,${text}` : text })
  }
  return splices.length === 0 ? json : splice(json, splices)
}
