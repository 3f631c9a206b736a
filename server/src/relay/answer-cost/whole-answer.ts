import type { CostPlace } from '../../dialects/cost/cost-place.ts'
import { isJsonType } from '../../lib/json/ndjson.ts'
import { lastMembers } from '../exchange/last-members.ts'
import type { PrintedAnswer } from '../exchange/printed-answer.ts'
import type { AnswerCost } from './answer-cost.ts'
import { withCostAt } from './edit-usage.ts'

/** Bytes. */
const muchBulk = 32 * 1024
const openBrace = Buffer.from('{')

const headerAt = (head: readonly string[], name: string): number =>
  head.findIndex((value, at) => at % 2 === 0 && value.toLowerCase() === name) + 1

/** A JSON object; sound, subtitles and plain text have their cost in the head alone. */
const isObjectText = (head: readonly string[], bytes: Buffer): boolean => {
  const type = headerAt(head, 'content-type')
  if (type > 0 && !isJsonType(head[type] ?? '')) return false
  let at = 0
  while (bytes[at] === 32 || bytes[at] === 10 || bytes[at] === 13 || bytes[at] === 9) at += 1
  return bytes[at] === '{'.charCodeAt(0)
}

/** Vectors and pictures are long, and their usage stands at the end: what is before it need not be read. */
const edited = (bytes: Buffer, answerCost: AnswerCost, place: CostPlace): Buffer => {
  const [name = '', ...inner] = place.inAnswer
  if (inner.length > 0 || bytes.length < muchBulk || lastMembers(bytes, name) === undefined)
    return withCostAt(bytes, place.inAnswer, answerCost, place)
  const at = bytes.lastIndexOf(`"${name}"`)
  const end = withCostAt(Buffer.concat([openBrace, bytes.subarray(at)]), place.inAnswer, answerCost, place)
  return Buffer.concat([bytes.subarray(0, at), end.subarray(openBrace.length)])
}

/** A whole answer whose usage says what the call costs. */
export const wholeWithCost = (printed: PrintedAnswer, answerCost: AnswerCost, place: CostPlace): PrintedAnswer => {
  const came = Buffer.from(printed.bytes)
  if (!isObjectText(printed.head, came)) return printed
  const bytes = edited(came, answerCost, place)
  const length = headerAt(printed.head, 'content-length')
  return { ...printed, head: printed.head.map((value, at) => (at === length ? String(bytes.length) : value)), bytes }
}
