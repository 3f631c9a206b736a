import type { VirtualCondition } from '@tollgate/contract'
import { hasTag, type PrintedTags } from '../../../billing/call-tags.ts'

/** Traits that conditions test; expensive ones are functions, called only by conditions that need them. */
export interface CallTraits {
  /** Milliseconds since 1970. */
  readonly at: number
  /** Id of the API key; 0 in the playground. */
  readonly tokenId: number
  /** Id of the team of the key's project; 0 for personal keys. */
  readonly teamId: number
  readonly group: string
  /** Cost tags of the key and of the call. */
  readonly tags: PrintedTags
  readonly stream: boolean
  /** A header of the request, by its name in lower case. */
  header(name: string): string | undefined
  hasTools(): boolean
  hasPictures(): boolean
  /** Estimate without a tokenizer. */
  promptTokens(): number
}

export type Condition = (call: CallTraits) => boolean

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

const headerHolds = ({ name, values }: NonNullable<VirtualCondition['header']>): Condition => {
  const allowed = new Set(values)
  return (call) => {
    const value = call.header(name)
    return value !== undefined && (allowed.size === 0 || allowed.has(value))
  }
}

/** Compiles a condition; the result is called for each call of its virtual model, cheapest parts first. */
export const conditionOf = (when: VirtualCondition): Condition => {
  const parts: Condition[] = []
  const { keys, teams, groups, tags, header, stream, hours, tools, pictures } = when
  const { prompt_from: least = 0, prompt_below: below } = when
  if (stream !== undefined) parts.push((call) => call.stream === stream)
  if (keys !== undefined) {
    const ids = new Set(keys)
    parts.push(({ tokenId }) => ids.has(tokenId))
  }
  if (teams !== undefined) {
    const ids = new Set(teams)
    parts.push(({ teamId }) => ids.has(teamId))
  }
  if (groups !== undefined) {
    const names = new Set(groups)
    parts.push(({ group }) => names.has(group))
  }
  if (tags !== undefined) parts.push((call) => tags.some((tag) => hasTag(call.tags, tag)))
  if (header !== undefined) parts.push(headerHolds(header))
  if (hours !== undefined) {
    const holds = hoursHold(hours)
    parts.push(({ at }) => holds(at))
  }
  if (tools !== undefined) parts.push((call) => call.hasTools() === tools)
  if (pictures !== undefined) parts.push((call) => call.hasPictures() === pictures)
  if (least > 0 || below !== undefined) {
    const most = below ?? Number.POSITIVE_INFINITY
    parts.push((call) => {
      const expected = call.promptTokens()
      return expected >= least && expected < most
    })
  }
  return (call) => parts.every((holds) => holds(call))
}
