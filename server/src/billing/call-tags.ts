import type { IncomingHttpHeaders } from 'node:http'
import { longestTagValue, mostTags, tagName } from '@tollgate/contract'
import { isObject, parseObject } from '@tollgate/contract/json'
import { ownMember } from '@tollgate/contract/own-member'

/**
 * Cost tags of a call, printed by name: `;cost_centre=7;env=test;`; empty for none. A database finds a tag by `;name=value;`, so names
 * and values contain neither separator.
 */
export type PrintedTags = string

/** Request header with cost tags: `k=v, k2=v2`. It is removed before the request goes upstream. */
export const tagsHeader = 'x-tollgate-tags'

/** UTF-16 units of all tags printed; a column holds 255. */
const longestPrinted = 250
/** UTF-16 units of a header that are read; the rest is ignored. */
const longestHeader = 1000

const unprintable = /[;\p{Cc}\p{Cs}]/gu

type Tags = Map<string, string>

/** Adds a tag where its name is one and there is room; a value that is too long is cut. */
const add = (tags: Tags, name: string, value: unknown): void => {
  if (!tagName.test(name) || (tags.size >= mostTags && !tags.has(name))) return
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return
  const text = String(value).replace(unprintable, ' ').trim().slice(0, longestTagValue).toWellFormed()
  if (text !== '') tags.set(name, text)
}

const printed = (tags: Tags): PrintedTags => {
  let text = ''
  for (const [name, value] of [...tags].sort(([left], [right]) => (left < right ? -1 : 1))) {
    const next = `${name}=${value};`
    if (text.length + next.length < longestPrinted) text += next
  }
  return text === '' ? '' : `;${text}`
}

/** The tags of a printed text. */
export const readTags = (text: PrintedTags): Record<string, string> =>
  Object.fromEntries(
    text
      .split(';')
      .filter((tag) => tag.includes('='))
      .map((tag) => [tag.slice(0, tag.indexOf('=')), tag.slice(tag.indexOf('=') + 1)]),
  )

/** Each tag of a printed text, as `name=value`. */
export const tagsIn = (text: PrintedTags): string[] => text.split(';').filter((tag) => tag !== '')

/** True if the printed tags contain `tag`: `name=value`, or `name` for any value. */
export const hasTag = (text: PrintedTags, tag: string): boolean =>
  text.includes(tag.includes('=') ? `;${tag};` : `;${tag}=`)

/** The tags of a key, which are stored as a JSON object; empty for none. */
export const tagsOfKey = (stored: string | null | undefined): PrintedTags => {
  if (!stored) return ''
  const tags: Tags = new Map()
  for (const [name, value] of Object.entries(parseObject(stored))) add(tags, name, value)
  return printed(tags)
}

/** `user_id` of Anthropic's metadata identifies a person or session, and is no cost tag. */
const notTags: ReadonlySet<string> = new Set(['user_id'])

/**
 * Tags of a call: those of its key, then of the body's `metadata`, then of the header; of repeated names the last wins. undefined where
 * the call adds none, as almost every call, so that nothing is allocated.
 */
export const tagsOfCall = (
  ofKey: PrintedTags | undefined,
  headers: IncomingHttpHeaders,
  metadata?: unknown,
): PrintedTags | undefined => {
  const header = headers[tagsHeader]
  if (header === undefined && metadata === undefined) return undefined
  const tags: Tags = new Map(ofKey === undefined ? [] : Object.entries(readTags(ofKey)))
  if (isObject(metadata)) {
    let seen = 0
    for (const name in metadata) {
      if (seen++ > 2 * mostTags) break
      if (!notTags.has(name)) add(tags, name, ownMember(metadata, name))
    }
  }
  if (header !== undefined) {
    for (const tag of String(header).slice(0, longestHeader).split(',')) {
      const at = tag.indexOf('=')
      if (at > 0) add(tags, tag.slice(0, at).trim(), tag.slice(at + 1))
    }
  }
  return printed(tags)
}
