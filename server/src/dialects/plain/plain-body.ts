import { ownMember } from '@tollgate/contract/own-member'
import type { JsonObject } from '../conversation/json.ts'
import { signatureMarks } from '../conversation/signatures.ts'

/**
 * A conversation of nothing but texts, with settings that choose neither tools, places, tiers, caches, sound, further answers nor another
 * model. Whoever would look for one of these in the body of a call has nothing to look for.
 */
export interface PlainBody {
  /** The most output tokens that the client allows; 0 where it sets no bound. */
  readonly maxTokens: number
}

/** How many members stand in a value, which is a plain one of its kind; -1 where it is not. */
export type PlainValue = (value: unknown) => number

/** The members that a plain body of a dialect may have, and the one that bounds its answer. */
export interface PlainShape {
  readonly members: ReadonlyMap<string, PlainValue>
  maxTokens(body: JsonObject): number
}

export const plainText: PlainValue = (value) => (typeof value === 'string' ? 0 : -1)
export const plainFlag: PlainValue = (value) => (typeof value === 'boolean' ? 0 : -1)
export const plainNumber: PlainValue = (value) => (typeof value === 'number' ? 0 : -1)
/** A bound of 0 or less is none, or an error, which the general way knows. */
export const plainBound: PlainValue = (value) => (Number.isSafeInteger(value) && Number(value) > 0 ? 0 : -1)

export const plainTexts: PlainValue = (value) =>
  typeof value === 'string' || (Array.isArray(value) && value.every((each) => typeof each === 'string')) ? 0 : -1

/** An object with no other members than these. */
export const plainObject =
  (members: ReadonlyMap<string, PlainValue>): PlainValue =>
  (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return -1
    let count = 0
    for (const name in value) {
      const inner = members.get(name)?.(ownMember(value as JsonObject, name)) ?? -1
      if (inner < 0) return -1
      count += 1 + inner
    }
    return count
  }

/** A list of plain values that is not empty. */
export const plainList =
  (entry: PlainValue): PlainValue =>
  (value) => {
    if (!Array.isArray(value) || value.length === 0) return -1
    let count = 0
    for (const each of value as unknown[]) {
      const inner = entry(each)
      if (inner < 0) return -1
      count += inner
    }
    return count
  }

/** The first of these that the value is. */
export const plainOneOf =
  (...kinds: readonly PlainValue[]): PlainValue =>
  (value) => {
    for (const kind of kinds) {
      const count = kind(value)
      if (count >= 0) return count
    }
    return -1
  }

const colon = 58
const backslash = 92

/** Index of the quote that ends a text of valid JSON; `end` is its first quote after the one that begins it. */
const endOfEscaped = (json: string, first: number): number => {
  let end = first
  while (json.charCodeAt(end - 1) === backslash) {
    let backslashes = 1
    while (json.charCodeAt(end - 1 - backslashes) === backslash) backslashes += 1
    if (backslashes % 2 === 0) return end
    end = json.indexOf('"', end + 1)
  }
  return end
}

/** Members of all objects as valid JSON writes them: more than were parsed where one stands twice. */
const writtenMembers = (json: string): number => {
  let count = 0
  let at = json.indexOf('"')
  while (at >= 0) {
    // No calls for each text: a conversation has hundreds of them.
    let end = json.indexOf('"', at + 1)
    if (json.charCodeAt(end - 1) === backslash) end = endOfEscaped(json, end)
    let after = end + 1
    let code = json.charCodeAt(after)
    while (code === 32 || code === 10 || code === 13 || code === 9) {
      after += 1
      code = json.charCodeAt(after)
    }
    if (code === colon) count += 1
    at = json.indexOf('"', after)
  }
  return count
}

/** Reads a body as a plain one; undefined where it holds anything else, or a member twice. `text` is what `body` was parsed from. */
export const plainBodyIn = (shape: PlainShape, body: JsonObject, text: string): PlainBody | undefined => {
  const { members } = shape
  let count = 0
  for (const name in body) {
    const inner = members.get(name)?.(ownMember(body, name)) ?? -1
    if (inner < 0) return undefined
    count += 1 + inner
  }
  // A text that begins like a signature of this gateway is one wherever signatures are looked for.
  for (const mark of signatureMarks) if (text.includes(mark)) return undefined
  return writtenMembers(text) === count ? { maxTokens: shape.maxTokens(body) } : undefined
}
