import { isObject, parseJson } from '@tollgate/contract/json'
import type { Price } from '../billing/price.ts'
import type { Usage } from '../billing/usage.ts'
import type { CallMeasures, RequestBegin } from '../relay/ports.ts'
import { callHead, printedHead, quoted } from './call-head.ts'
import { presentPrice } from './earlier-price.ts'
import { type JournalRecord, printedReceipt } from './journal-record.ts'
import { boundedBegin, boundedCall, printedOther } from './record-bounds.ts'

/** One line of a segment. */
export type JournalLine =
  | { readonly kind: 'begin'; readonly begin: RequestBegin }
  | { readonly kind: 'progress'; readonly id: string; readonly usage: Usage }
  | { readonly kind: 'end'; readonly record: JournalRecord }
  | { readonly kind: 'applied'; readonly ids: readonly string[] }

// Prices are few and frozen, calls are many: a price is printed once.
const printedPrices = new WeakMap<Price, string>()

const printPrice = (price: Price): string => {
  const cached = printedPrices.get(price)
  if (cached !== undefined) return cached
  const text = JSON.stringify(price, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))
  printedPrices.set(price, text)
  return text
}

export const beginLine = ({ price, upstreamPrice, ...rest }: RequestBegin): string => {
  const cost = upstreamPrice === undefined ? '' : `,"upstreamPrice":${printPrice(upstreamPrice)}`
  return `{"begin":${JSON.stringify(rest)},"price":${printPrice(price)}${cost}}\n`
}
export const progressLine = (id: string, usage: Usage): string =>
  `{"progress":${JSON.stringify(id)},"usage":${JSON.stringify(usage)}}\n`

const printMeasures = ({
  totalMs,
  firstMs,
  cached,
  cacheWrite,
  reasoning,
  missed = 0,
  cacheSaved = 0,
  cacheLost = 0,
}: CallMeasures): string => {
  const total = totalMs === undefined ? '' : `"totalMs":${totalMs},`
  const first = firstMs === undefined ? '' : `"firstMs":${firstMs},`
  const money =
    missed === 0 && cacheSaved === 0 && cacheLost === 0
      ? ''
      : `,"missed":${missed},"cacheSaved":${cacheSaved},"cacheLost":${cacheLost}`
  return `{${total}${first}"cached":${cached},"cacheWrite":${cacheWrite},"reasoning":${reasoning}${money}}`
}

/** Printed by hand, because every call needs it and its large parts are texts already. `head` is the result of `callHead` for the record. */
export const endLine = (record: JournalRecord, head = callHead(record) ?? printedHead(record)): string => {
  const { task, cost, session, caps, tags, endUser, hedge, times, measures } = record
  let more = cost === undefined ? '' : `,"cost":${cost}`
  if (session !== undefined) more += `,"session":${JSON.stringify(session)}`
  if (tags !== undefined) more += `,"tags":${quoted(tags)}`
  if (endUser !== undefined) more += `,"endUser":${JSON.stringify(endUser)}`
  if (caps !== undefined) more += `,"caps":${JSON.stringify(caps)}`
  if (hedge !== undefined) more += `,"hedge":${JSON.stringify(hedge)}`
  if (times !== undefined) more += `,"times":${times}`
  if (measures !== undefined) more += `,"measures":${printMeasures(measures)}`
  if (task !== undefined) more += `,"task":${JSON.stringify(task)}`
  const used = `"quota":${record.quota},"promptTokens":${record.promptTokens},"completionTokens":${record.completionTokens},"useTime":${record.useTime}`
  return `{"end":{"id":${JSON.stringify(record.id)},"at":${record.at},"kind":"${record.kind}",${head},${used},"other":${record.other}${more}}}\n`
}

export const appliedLine = (ids: readonly string[]): string => `{"applied":${JSON.stringify(ids)}}\n`

/** The inverse of the printers above; undefined when the text is not a line of a journal. */
export const parseLine = (text: string): JournalLine | undefined => {
  const value = parseJson(text)
  if (!isObject(value)) return undefined
  if (isObject(value.end) && typeof value.end.id === 'string') {
    return { kind: 'end', record: readEnd(value.end) }
  }
  if (isObject(value.begin) && typeof value.begin.id === 'string' && isObject(value.price)) {
    const begin = {
      ...value.begin,
      price: readPrice(value.price),
      ...(isObject(value.upstreamPrice) ? { upstreamPrice: readPrice(value.upstreamPrice) } : {}),
    }
    return { kind: 'begin', begin: boundedBegin(begin as unknown as RequestBegin) }
  }
  if (typeof value.progress === 'string' && isObject(value.usage)) {
    return { kind: 'progress', id: value.progress, usage: value.usage as unknown as Usage }
  }
  if (Array.isArray(value.applied)) return { kind: 'applied', ids: value.applied.map(String) }
  return undefined
}

/** Earlier versions wrote the receipt beside `other`, and texts of any length. */
const readEnd = ({ receipt: beside, ...end }: Record<string, unknown>): JournalRecord => {
  const { receipt = beside, ...inside }: Record<string, unknown> = isObject(end.other) ? end.other : {}
  const other = printedOther(inside, receipt)
  const record = boundedCall(end as unknown as JournalRecord)
  const printed = receipt === undefined ? undefined : printedReceipt(other)
  return { ...record, other, receipt: printed, segment: undefined, hold: undefined }
}

/** Decimals as printed: their digits are text, because JSON has no big integers. */
const readPrice = (printed: Record<string, unknown>): Price =>
  presentPrice({ perCall: undefined, ...withDecimals(printed) } as unknown as Price)

const withDecimals = (value: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).map(([name, member]) => [name, readDecimal(member)]))

const readDecimal = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(readDecimal)
  if (!isObject(value)) return value
  return typeof value.digits === 'string' ? { ...value, digits: BigInt(value.digits) } : withDecimals(value)
}
