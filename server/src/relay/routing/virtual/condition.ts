import type { IncomingHttpHeaders } from 'node:http'
import type { VirtualCondition } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import { isObject, listOf } from '../../../dialects/conversation/json.ts'
import type { RelayCall } from '../../call.ts'
import { expectedPrompt } from '../../usage/expected-tokens.ts'

/** What conditions look at. */
export type JudgedCall = Pick<
  RelayCall,
  'startedAt' | 'caller' | 'stream' | 'model' | 'raw' | 'body' | 'dialect' | 'survey'
>

export type Condition = (call: JudgedCall, headers: IncomingHttpHeaders) => boolean

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

type Hours = NonNullable<VirtualCondition['hours']>

const hoursHold = ({ from, until, days }: Hours): ((at: number) => boolean) => {
  const [first, last] = [minutesOf(from), minutesOf(until)]
  return (at) => {
    const date = new Date(at)
    const minute = date.getUTCHours() * 60 + date.getUTCMinutes()
    const isWithin = first <= last ? minute >= first && minute < last : minute >= first || minute < last
    return isWithin && (days.length === 0 || days.includes(date.getUTCDay()))
  }
}

const hasTools = ({ tools, functions }: JudgedCall['body']): boolean =>
  listOf(tools).length > 0 || listOf(functions).length > 0

const namesPicture = (type: unknown): boolean => typeof type === 'string' && type.includes('image')

/** A part of a message that is a picture, in any dialect. */
const isPicture = (part: unknown): boolean => {
  if (!isObject(part)) return false
  const inline = part.inlineData ?? part.inline_data ?? part.fileData ?? part.file_data
  return namesPicture(part.type) || (isObject(inline) && namesPicture(inline.mimeType ?? inline.mime_type))
}

const hasPictures = ({ body, dialect }: JudgedCall): boolean => {
  const messages = dialect === undefined ? body.messages : dialect.requestRules.messages(body)
  return listOf(messages).some(
    (message) => isObject(message) && [...listOf(message.content), ...listOf(message.parts)].some(isPicture),
  )
}

const headerHolds = ({ name, values }: NonNullable<VirtualCondition['header']>): Condition => {
  const allowed = new Set(values)
  return (_call, headers) => {
    const value = ownMember(headers, name)
    return typeof value === 'string' && (allowed.size === 0 || allowed.has(value))
  }
}

/** Parses a condition once; what it makes is asked for each call of its virtual model, the cheapest parts first. */
export const conditionOf = (when: VirtualCondition): Condition => {
  const parts: Condition[] = []
  const { keys, groups, header, prompt_from: least = 0, prompt_below: below, tools, pictures, stream, hours } = when
  if (stream !== undefined) parts.push((call) => call.stream === stream)
  if (keys !== undefined) {
    const ids = new Set(keys)
    parts.push(({ caller }) => ids.has(caller.tokenId))
  }
  if (groups !== undefined) {
    const names = new Set(groups)
    parts.push(({ caller }) => names.has(caller.group))
  }
  if (header !== undefined) parts.push(headerHolds(header))
  if (hours !== undefined) {
    const holds = hoursHold(hours)
    parts.push(({ startedAt }) => holds(startedAt))
  }
  if (tools !== undefined) parts.push(({ body }) => hasTools(body) === tools)
  if (pictures !== undefined) parts.push((call) => hasPictures(call) === pictures)
  if (least > 0 || below !== undefined) {
    const most = below ?? Number.POSITIVE_INFINITY
    parts.push((call) => {
      const expected = expectedPrompt(call)
      return expected >= least && expected < most
    })
  }
  return (call, headers) => parts.every((holds) => holds(call, headers))
}
