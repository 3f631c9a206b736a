import { membersOf, parsedJson } from '../../dialects/conversation/json.ts'
import type { StreamSpelling } from '../../dialects/passthrough.ts'
import { dataEvent, payloads } from '../../lib/sse.ts'

const dataField = Buffer.from('data:')
const tightEnd = 'data:[DONE]'
export const errorName = Buffer.from('"error"')
const commentLine = Buffer.from('\n:')
const colon = 58

/** Quotes within texts are escaped, so that only members match. */
const nullError = /,\s*"error"\s*:\s*null|"error"\s*:\s*null\s*,?/g

/** Events one by one, each with its blank line. */
const eventsIn = (events: string): string[] => events.split(/(?<=\n\r?\n)/)

const isTight = (line: string): boolean => /^(data|event):(?! |\r?$)/.test(line)

/** The fields with the space after their names; all other bytes stay. */
const spaced = (events: string): string =>
  events
    .split('\n')
    .map((line) => (isTight(line) ? line.replace(':', ': ') : line))
    .join('\n')

/** An event under the name that its payload states. */
const renamed = (event: string): string => {
  const [payload] = payloads(event)
  if (payload === undefined || /^event:/m.test(event)) return event
  const { type } = membersOf(parsedJson(payload))
  return typeof type === 'string' ? `event: ${type}\n${event}` : event
}

/** How one upstream spells its events, from the first of them: it spells all alike. */
interface Habit {
  readonly namesEvents: boolean
  /** A field stands without the space after its name. */
  readonly isTight: boolean
  /** Fields stand beside the payload. */
  readonly hasFields: boolean
}

const habitOf = (events: Buffer): Habit | undefined => {
  const first = eventsIn(events.toString()).find((event) => payloads(event).length > 0)
  if (first === undefined) return undefined
  return {
    namesEvents: /^event:/m.test(first),
    isTight: first.split('\n').some(isTight),
    hasFields: /^(event|id|retry):/m.test(first),
  }
}

const lineFeed = 10
const carriageReturn = 13

/** True if the last event is an end mark without the space; compares single bytes, since it is called for every chunk. */
const endsTight = (events: Buffer): boolean => {
  let at = events.length - 1
  while (events[at] === lineFeed || events[at] === carriageReturn) at -= 1
  for (let place = tightEnd.length - 1; place >= 0; place -= 1, at -= 1)
    if (events[at] !== tightEnd.charCodeAt(place)) return false
  return true
}

/** Spells the events of one upstream as every official client of the dialect reads them. One per stream. */
export interface Speller {
  /** Takes whole events; gives the same buffer where nothing has to be changed, as almost always. */
  spelled(events: Buffer): Buffer
}

/**
 * huggingface_hub reads `data: ` with the space only, Anthropic's clients want `event:` lines, Google's take comments for JSON, and
 * the AI SDK takes `"error": null` for an error. Deviations are found by searches in bytes; only events that hold one are split and
 * written anew.
 */
export const openSpeller = (spelling: StreamSpelling | undefined): Speller => {
  let habit: Habit | undefined

  const hasMoreThanPayloads = (events: Buffer): boolean =>
    habit?.hasFields === true || events[0] === colon || events.includes(commentLine)

  return {
    spelled(events) {
      if (habit === undefined && events.includes(dataField)) habit = habitOf(events)
      let text: string | undefined
      if (habit?.isTight === true || endsTight(events)) text = spaced(events.toString())
      if (spelling === 'named' && habit?.namesEvents === false)
        text = eventsIn(text ?? events.toString())
          .map(renamed)
          .join('')
      if (spelling === 'chunks' && events.includes(errorName)) text = (text ?? events.toString()).replace(nullError, '')
      if (spelling === 'payloads' && hasMoreThanPayloads(events))
        text = payloads(text ?? events.toString())
          .map(dataEvent)
          .join('')
      return text === undefined ? events : Buffer.from(text)
    },
  }
}

/** A whole answer without `"error": null`; the same buffer where it has none. */
export const withoutNullError = (bytes: Buffer): Buffer => {
  if (!bytes.includes(errorName)) return bytes
  const text = bytes.toString()
  const without = text.replace(nullError, '')
  return without === text ? bytes : Buffer.from(without)
}
