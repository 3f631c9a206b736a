import { ownMember } from '@tollgate/contract/own-member'
import { isObject, type JsonObject, objectsOf, parsedJson, textIn } from '../../dialects/conversation/json.ts'
import { elements, membersOf, type Splice, splice } from '../../lib/json/json-edit.ts'
import type { Collection } from './collections.ts'
import { nameOf } from './created-objects.ts'
import type { ObjectName } from './ports.ts'

/** A page of a collection. */
export interface ObjectPage {
  readonly names: readonly ObjectName[]
  /** The objects themselves, in the order of `names`. */
  readonly objects: readonly JsonObject[]
  /** The same page with the named objects alone. */
  only(isKept: (name: ObjectName) => boolean): Buffer
  /** Parameters of the query for the next page; undefined for the last one. */
  readonly next: Readonly<Record<string, string>> | undefined
}

/** Members that hold the objects of a page: OpenAI's, Anthropic's and Mistral's `data`, and those of Google. */
const listMembers: ReadonlySet<string> = new Set([
  ...['data', 'files', 'cachedContents', 'batches', 'operations', 'fileSearchStores', 'tunedModels', 'corpora'],
  ...['interactions', 'requests', 'items'],
])

const nextOf = (page: JsonObject, ids: readonly string[]): ObjectPage['next'] => {
  const token = textIn(page.nextPageToken)
  if (token !== undefined && token !== '') return { pageToken: token }
  if (page.has_more !== true) return undefined
  // Anthropic's skills are paged by a token; its other lists and OpenAI's by an id.
  const nextPage = textIn(page.next_page)
  if (nextPage !== undefined) return { page: nextPage }
  const last = textIn(page.last_id) ?? ids.at(-1)
  if (last === undefined) return undefined
  return page.object === 'list' ? { after: last } : { after_id: last }
}

/** Reads a page of a collection; undefined for other formats, in which the owner of an object cannot be known. */
export const objectPage = (bytes: Buffer, collection: Collection): ObjectPage | undefined => {
  const page = parsedJson(bytes.toString())
  if (!isObject(page)) return undefined
  const members = membersOf(bytes)
  const lists = members.filter(({ name, valueStart }) => listMembers.has(name) && bytes[valueStart] === openBracket)
  const [list] = lists
  const isEmpty = Object.values(page).every((value) => !Array.isArray(value) && !isObject(value))
  // An empty list is left out by Google.
  if (list === undefined && isEmpty) return { names: [], objects: [], only: () => bytes, next: nextOf(page, []) }
  const extra = members.some((member) => member !== list && isNested(bytes[member.valueStart]))
  if (list === undefined || lists.length > 1 || extra) return undefined
  const objects = objectsOf(ownMember(page, list.name))
  const starts = elements(bytes, list.valueStart)
  if (objects.length !== starts.length) return undefined
  const names = objects.map((object) => nameOf(collection, object))
  const ids = objects.map((object) => textIn(object.id) ?? '')
  return {
    names: names.filter((name) => name !== undefined),
    objects: objects.filter((_, index) => names[index] !== undefined),
    next: nextOf(page, ids),
    only(isKept) {
      const kept = names.flatMap((name, index) => (name !== undefined && isKept(name) ? [index] : []))
      const raws = kept.map((index) => rawElement(bytes, starts, index, list.valueEnd))
      const edits: Splice[] = [{ start: list.valueStart, end: list.valueEnd, text: `[${raws.join(',')}]` }]
      for (const { name, valueStart, valueEnd } of members) {
        const at = name === 'first_id' ? kept[0] : name === 'last_id' ? kept.at(-1) : undefined
        if (name !== 'first_id' && name !== 'last_id') continue
        edits.push({ start: valueStart, end: valueEnd, text: at === undefined ? 'null' : JSON.stringify(ids[at]) })
      }
      return splice(bytes, edits)
    },
  }
}

const openBracket = 91
const isNested = (byte: number | undefined): boolean => byte === 123 || byte === openBracket

/** An element as its provider wrote it. */
const rawElement = (bytes: Buffer, starts: readonly number[], index: number, listEnd: number): string => {
  const end = starts[index + 1] ?? listEnd
  // Behind the element stand spaces, and a comma or the bracket that ends the list.
  return bytes.toString('utf8', starts[index], end).trimEnd().slice(0, -1).trimEnd()
}
