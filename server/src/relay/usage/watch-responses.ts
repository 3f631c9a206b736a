import { type UsageLimits, UsageReports } from '../../billing/usage-reports.ts'
import { isObject, type Members, membersOf, objectsOf, parsedJson, textOf } from '../../dialects/conversation/json.ts'
import { billedPart, responseUsage, toolsInItems } from '../../dialects/openai-responses/tools-used.ts'
import { extrasOf, tierOf } from '../../dialects/tools/tools-used.ts'
import { payloads } from '../../lib/sse.ts'
import type { Said } from '../exchange/answer-text.ts'
import { widestLimits } from './limits.ts'
import type { Watch } from './watch.ts'

const usageName = Buffer.from('"usage"')
const errorName = Buffer.from('"error"')
const ends = ['response.completed', 'response.incomplete', 'response.failed'] as const
const endNames = ends.map((name) => Buffer.from(`"type":"${name}"`))

/** Index of the event that holds the byte at `at`. */
const eventStart = (events: Buffer, at: number): number => {
  const before = events.toString('latin1', 0, at)
  const boundary = Math.max(before.lastIndexOf('\n\n'), before.lastIndexOf('\n\r\n') + 1)
  return boundary <= 0 ? 0 : boundary + 2
}

/** Texts may hold the words too, so the event itself is asked. */
const endAt = (events: Buffer): number => {
  for (const name of endNames) {
    const at = events.lastIndexOf(name)
    if (at < 0) continue
    const start = eventStart(events, at)
    const event = membersOf(parsedJson(payloads(events.toString('utf8', start))[0] ?? ''))
    if (ends.some((end) => end === event.type)) return start
  }
  return -1
}

const itemText = (item: Record<string, unknown>): string =>
  textOf(item.name) +
  textOf(item.arguments) +
  objectsOf(item.content)
    .map(({ text, refusal }) => textOf(text) + textOf(refusal))
    .join('')

/** Events name their piece `delta`; whole answers list items. */
const saidIn = (event: unknown): Said => {
  const { delta, output } = membersOf(event)
  return { text: textOf(delta) + objectsOf(output).map(itemText).join(''), toolCalls: 0 }
}

/** Responses: the last event repeats the whole answer, with the usage. */
export const watchResponses = (limits: UsageLimits = widestLimits): Watch => {
  const reports = new UsageReports(limits)
  let id: string | undefined
  let tools: unknown
  let tier: string | undefined
  const items: Members[] = []
  return {
    endAt,
    end: '',
    mayEnd: () => false,
    mayHoldError: (events) => events.includes(errorName),
    isError: (event) => event.type === 'error' || event.type === 'response.failed',
    noteUsage(events) {
      if (!events.includes(usageName)) return false
      for (const payload of payloads(events.toString())) {
        if (!payload.includes('"usage"')) continue
        const event = membersOf(parsedJson(payload))
        const response = isObject(event.response) ? event.response : event
        reports.note(responseUsage(response))
        id = textOf(response.id) || id
      }
      return true
    },
    usage: () => reports.best,
    doubted: () => reports.doubted,
    answerId: () => id,
    said: saidIn,
    see(event) {
      const { type, item, response } = membersOf(event)
      if (type === 'response.output_item.done' && isObject(item)) items.push(billedPart(item))
      if (type !== 'response.created' || !isObject(response)) return
      tools = response.tools
      tier = tierOf(response.service_tier)
    },
    seen: () => extrasOf(toolsInItems(items, tools), tier),
  }
}
