import { parseJson } from '@tollgate/contract/json'
import { ownMember } from '@tollgate/contract/own-member'
import { boundedText, isStorable } from '../lib/bounded-text.ts'
import type { FinishedCall, RequestBegin, TaskStart } from '../relay/ports.ts'

/** UTF-16 units. A name stands in a column of 255 characters; other texts are for people, and a few kB are enough for them. */
const name = 255
const sentence = 4000
const prompt = 8000
/** Printed JSON of a task, which clients read: lists of buttons, clips with their lyrics. */
const document = 64_000

/** The longest text that each field of a finished request may hold. Every text of a record is in this file. */
const callBounds = {
  model: name,
  username: name,
  tokenName: name,
  group: name,
  ip: name,
  tags: name,
  endUser: name,
  content: sentence,
}

const taskBounds = {
  taskId: name,
  action: name,
  keyHash: name,
  status: name,
  progress: name,
  prompt,
  description: sentence,
  state: sentence,
  imageUrl: sentence,
  failReason: sentence,
}

/** The same for the columns of a task's row, which later answers of its service change. */
const taskColumnBounds: ReadonlyMap<string, number> = new Map([
  ['status', name],
  ['progress', name],
  ['prompt_en', prompt],
  ['description', sentence],
  ['state', sentence],
  ['image_url', sentence],
  ['fail_reason', sentence],
])
const taskDocuments: ReadonlySet<string> = new Set(['buttons', 'properties', 'data'])

/** The `other` column of a log row: up to `otherFits` it stays as it is, beyond that each of its texts and lists is cut. */
export const otherFits = 8000
const otherMost = document
const inOther = { text: 2000, list: 100, members: 100, depth: 6 }
const inLargeOther = { text: 200, list: 10, members: 50, depth: 6 }
/** Decimals of a receipt may be long, and must never be cut. */
const inReceipt = { ...inOther, text: 1000 }

type Texts = Readonly<Partial<Record<string, unknown>>>

/** The fields that have to change, with their new texts; undefined where all fit. */
const changedTexts = (record: Texts, bounds: Readonly<Record<string, number>>): Record<string, string> | undefined => {
  const changed = Object.entries(bounds).flatMap(([field, most]) => {
    const text = ownMember(record, field)
    return typeof text !== 'string' || isStorable(text, most) ? [] : [[field, boundedText(text, most)] as const]
  })
  return changed.length === 0 ? undefined : Object.fromEntries(changed)
}

const boundedTask = (task: TaskStart): TaskStart => {
  const changed = changedTexts({ ...task }, taskBounds)
  return changed === undefined ? task : { ...task, ...changed }
}

type Call = Pick<FinishedCall, 'model' | 'username' | 'tokenName' | 'group' | 'ip' | 'content' | 'task'>

/** True if every database takes the texts of a call as they are. */
export const hasStorableTexts = ({ model, username, tokenName, group, ip, content, task }: Call): boolean =>
  task === undefined &&
  isStorable(content, sentence) &&
  isStorable(model, name) &&
  isStorable(username, name) &&
  isStorable(tokenName, name) &&
  isStorable(group, name) &&
  isStorable(ip, name)

/** A finished request with texts that every database takes; almost always the same object. */
export const boundedCall = <T extends Call>(record: T): T => {
  if (hasStorableTexts(record)) return record
  const { task } = record
  return { ...record, ...changedTexts({ ...record }, callBounds), ...(task && { task: boundedTask(task) }) }
}

/** The same for a request that has only begun. */
export const boundedBegin = (begin: RequestBegin): RequestBegin => {
  const changed = changedTexts({ ...begin }, callBounds)
  return changed === undefined ? begin : { ...begin, ...changed }
}

interface ValueBounds {
  readonly text: number
  readonly list: number
  readonly members: number
  readonly depth: number
}

const boundedList = (list: readonly unknown[], bounds: ValueBounds): unknown[] => {
  const kept = list.slice(0, bounds.list).map((value) => boundedValue(value, { ...bounds, depth: bounds.depth - 1 }))
  const isCut = list.length > bounds.list && list.every((value) => typeof value === 'string')
  return isCut ? [...kept, `… [cut, ${list.length} entries]`] : kept
}

/** A JSON value whose texts, lists and objects are no larger than `bounds`. */
const boundedValue = (value: unknown, bounds: ValueBounds): unknown => {
  if (typeof value === 'string') return boundedText(value, bounds.text)
  if (typeof value !== 'object' || value === null) return value
  if (bounds.depth === 0) return '…'
  if (Array.isArray(value)) return boundedList(value, bounds)
  const members = Object.entries(value).slice(0, bounds.members)
  const inside = { ...bounds, depth: bounds.depth - 1 }
  return Object.fromEntries(members.map(([key, member]) => [boundedText(key, 200), boundedValue(member, inside)]))
}

/** JSON prints a zero character as \u0000 and half a surrogate pair as \ud…, which not every reader of JSON takes. */
const hasHarmlessEscapes = (json: string): boolean => !json.includes('\\u0000') && !json.includes('\\ud')

type Other = Readonly<Record<string, unknown>>

const withReceipt = (other: unknown, receipt: unknown): string =>
  JSON.stringify(receipt === undefined ? other : { ...(other as Other), receipt: boundedValue(receipt, inReceipt) })

/** The `other` column as JSON, with the receipt as its last member where there is one. */
export const printedOther = (other: Other, receipt: unknown): string => {
  const printed = JSON.stringify(receipt === undefined ? other : { ...other, receipt })
  if (printed.length <= otherFits && hasHarmlessEscapes(printed)) return printed
  const bounded = withReceipt(boundedValue(other, inOther), receipt)
  return bounded.length <= otherMost ? bounded : withReceipt(boundedValue(other, inLargeOther), receipt)
}

/** A JSON text that is too long becomes a shorter one of the same shape; empty where it stays too long or is no JSON. */
const boundedDocument = (text: string): string => {
  if (text.length <= document && hasHarmlessEscapes(text) && isStorable(text, document)) return text
  const value = parseJson(text)
  if (value === undefined) return ''
  for (const bounds of [inOther, inLargeOther]) {
    const printed = JSON.stringify(boundedValue(value, bounds))
    if (printed.length <= document) return printed
  }
  return ''
}

type Columns = Readonly<Record<string, string | number>>

/** A service's report on a task, cut to the columns of its row; the same object if everything fits. */
export const boundedTaskColumns = (columns: Columns): Columns => {
  const changed = new Map<string, string>()
  for (const [column, value] of Object.entries(columns)) {
    if (typeof value !== 'string') continue
    const most = taskColumnBounds.get(column)
    const text = taskDocuments.has(column)
      ? boundedDocument(value)
      : most === undefined
        ? value
        : boundedText(value, most)
    if (text !== value) changed.set(column, text)
  }
  return changed.size === 0 ? columns : { ...columns, ...Object.fromEntries(changed) }
}
