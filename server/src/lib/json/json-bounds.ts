import type { BilingualText } from '@tollgate/contract'
import { AppError } from '../app-error.ts'

/**
 * Checks the number of parts of a JSON text by scanning its bytes before it is parsed. Parsing takes time by the number of parts:
 * 30 MB of long texts parse in milliseconds, 30 MB of small objects in seconds. The scan does not validate; invalid JSON may pass
 * and is refused by the parser.
 */

/** Largest counts, each inclusive. */
export interface JsonBounds {
  /** Objects and lists inside each other. */
  readonly depth: number
  /** Members of all objects. */
  readonly members: number
  /** Objects and lists. */
  readonly containers: number
  /** Texts, names of members included. */
  readonly texts: number
  /** Values of any kind, such as the numbers of a list. */
  readonly values: number
  /** Bounds of the lists that are members of the top-level object, by name. */
  readonly lists: ReadonlyMap<string, ListBounds>
}

export interface ListBounds {
  readonly entries: number
  /** Objects and lists in lists of the entries, all entries together: content parts of messages. */
  readonly parts: number
}

type BoundName = Exclude<keyof JsonBounds, 'lists'> | 'entries' | 'parts'

export interface ExceededBound {
  readonly bound: BoundName
  /** Name of the list for `entries` and `parts`, else empty. */
  readonly list: string
  readonly limit: number
}

const quote = 34
const comma = 44
const colon = 58
const openBracket = 91
const backslash = 92
const closeBracket = 93
const openBrace = 123
const closeBrace = 125

const entryDepth = 3
const partDepth = 5

/** Longer names are not looked up. */
const mostNameBytes = 64

const nameIn = (json: Buffer, start: number, end: number): string => {
  if (end - start > mostNameBytes) return ''
  const text = json.toString('utf8', start, end)
  if (!text.includes('\\')) return text
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    return ''
  }
}

/** Bytes of a text that are searched one by one; the end of a longer text is found with `indexOf`. */
const shortText = 32

/** Index of the closing quote of the text that begins at `from`; the length of `json` without one. */
const textEnd = (json: Buffer, from: number): number => {
  const { length } = json
  const near = Math.min(from + shortText, length)
  let at = from
  while (at < near) {
    const byte = json[at]
    if (byte === quote) return at
    at += byte === backslash ? 2 : 1
  }
  for (;;) {
    const found = json.indexOf(quote, at)
    if (found < 0) return length
    let backslashes = 0
    while (found - 1 - backslashes >= at && json[found - 1 - backslashes] === backslash) backslashes += 1
    if (backslashes % 2 === 0) return found
    at = found + 1
  }
}

/** The first bound that a JSON text exceeds; undefined if none. Takes about 1 ms per megabyte. */
export const exceededBound = (json: Buffer, bounds: JsonBounds): ExceededBound | undefined => {
  const exceeded = (bound: BoundName, limit: number, list = ''): ExceededBound => ({ bound, limit, list })
  const { length } = json
  // 1 if the container at this depth is a list.
  const isList = new Uint8Array(bounds.depth + 2)
  let depth = 0
  let members = 0
  let containers = 0
  let texts = 0
  let values = 0
  let nameStart = 0
  let nameEnd = 0
  let list = ''
  let listBounds: ListBounds | undefined
  let entries = 0
  let parts = 0
  let at = 0
  while (at < length) {
    const byte = json[at]
    at += 1
    if (byte === quote) {
      const start = at
      at = textEnd(json, at)
      texts += 1
      if (depth === 1) {
        nameStart = start
        nameEnd = at
      }
      at += 1
    } else if (byte === comma) {
      values += 1
      if (values > bounds.values) return exceeded('values', bounds.values)
    } else if (byte === colon) {
      members += 1
      if (members > bounds.members) return exceeded('members', bounds.members)
    } else if (byte === openBrace || byte === openBracket) {
      containers += 1
      if (depth === bounds.depth) return exceeded('depth', bounds.depth)
      if (containers > bounds.containers) return exceeded('containers', bounds.containers)
      if (listBounds !== undefined && isList[depth] === 1) {
        if (depth + 1 === entryDepth) entries += 1
        if (depth + 1 === partDepth) parts += 1
        if (entries > listBounds.entries) return exceeded('entries', listBounds.entries, list)
        if (parts > listBounds.parts) return exceeded('parts', listBounds.parts, list)
      }
      depth += 1
      isList[depth] = byte === openBracket ? 1 : 0
      if (depth === 2) {
        list = byte === openBracket ? nameIn(json, nameStart, nameEnd) : ''
        listBounds = bounds.lists.get(list)
        entries = 0
        parts = 0
      }
    } else if (byte === closeBrace || byte === closeBracket) {
      // A text that closes more than it opens is no JSON.
      if (depth > 0) depth -= 1
      if (depth === 1) listBounds = undefined
    }
  }
  return texts > bounds.texts ? exceeded('texts', bounds.texts) : undefined
}

const names: Readonly<Record<BoundName, BilingualText>> = {
  depth: { zh: '嵌套层数', en: 'levels of nesting' },
  members: { zh: '字段数', en: 'members of objects' },
  containers: { zh: '对象和数组数', en: 'objects and lists' },
  texts: { zh: '字符串数', en: 'texts' },
  values: { zh: '值的数量', en: 'values' },
  entries: { zh: '条目数', en: 'entries' },
  parts: { zh: '内容块数', en: 'parts' },
}

/** The error for a body that exceeds a bound; it names the bound and its limit. */
export const boundError = ({ bound, list, limit }: ExceededBound): AppError => {
  const { zh, en } = names[bound]
  const params = list === '' ? { what: zh, what_en: en } : { what: `${list} 的${zh}`, what_en: `${en} in ${list}` }
  return new AppError('body_too_complex', { params: { ...params, limit } })
}
