import { type UsageLimits, UsageReports } from '../../billing/usage-reports.ts'
import { readUsage } from '../../dialects/anthropic/answer.ts'
import { searchesIn } from '../../dialects/anthropic/tools-used.ts'
import { isObject, type Members, membersOf, parsedJson, textOf } from '../../dialects/conversation/json.ts'
import { extrasOf } from '../../dialects/tools/tools-used.ts'
import { payloads } from '../../lib/sse.ts'
import { widestLimits } from './limits.ts'
import type { Watch } from './watch.ts'

const usageName = Buffer.from('"usage"')
const errorName = Buffer.from('"error"')
const stopName = Buffer.from('message_stop')

/** Index of the event that holds the byte at `at`. */
const eventStart = (events: Buffer, at: number): number => {
  const before = events.toString('latin1', 0, at)
  const boundary = Math.max(before.lastIndexOf('\n\n') + 2, before.lastIndexOf('\n\r\n') + 3)
  return boundary < 2 || (boundary === 2 && !before.startsWith('\n\n')) ? 0 : boundary
}

const isStop = (payload: string): boolean =>
  payload.includes('message_stop') && membersOf(parsedJson(payload)).type === 'message_stop'

const lineFeed = 10

/** The first one ends the answer. Texts may hold the word too, so the event itself is asked, line by line. */
const stopAt = (events: Buffer): number => {
  for (let at = events.indexOf(stopName); at >= 0; ) {
    const start = eventStart(events, at)
    const lineEnd = events.indexOf(lineFeed, at)
    const end = lineEnd < 0 ? events.length : lineEnd
    if (isStop(payloads(events.toString('utf8', start, end))[0] ?? '')) return start
    at = events.indexOf(stopName, end)
  }
  return -1
}

const saidIn = (event: unknown): { text: string; toolCalls: number } => {
  const { delta, content_block: block, content } = membersOf(event)
  const spoken = (value: unknown): string => {
    const its = membersOf(value)
    return textOf(its.text) + textOf(its.thinking) + textOf(its.partial_json) + textOf(its.name)
  }
  const blocks = Array.isArray(content) ? (content as unknown[]).map(spoken).join('') : ''
  return { text: spoken(delta) + spoken(block) + blocks, toolCalls: 0 }
}

/** Messages: the input is reported with the first event, the output with the last but one. */
export const watchAnthropic = (limits: UsageLimits = widestLimits): Watch => {
  const reports = new UsageReports(limits)
  let usage: Members | undefined
  let searches = 0
  let isWhole = false
  const note = (value: unknown): void => {
    if (!isObject(value)) return
    usage = { ...usage, ...Object.fromEntries(Object.entries(value).filter(([, count]) => count !== null)) }
    reports.note(readUsage(usage))
  }
  return {
    endAt: stopAt,
    end: 'event: message_stop\ndata: {"type":"message_stop"}\n\n',
    mayEnd: () => false,
    mayHoldError: (events) => events.includes(errorName),
    isError: (event) => event.type === 'error',
    noteUsage(events) {
      if (!events.includes(usageName)) return false
      for (const payload of payloads(events.toString())) {
        if (isStop(payload)) break
        if (!payload.includes('"usage"')) continue
        const event = membersOf(parsedJson(payload))
        note(membersOf(event.message).usage)
        note(event.usage)
        isWhole ||= isObject(event.usage)
      }
      return true
    },
    usage: () => reports.best,
    doubted: () => reports.doubted,
    isPartial: () => !isWhole,
    said: saidIn,
    see(event) {
      const { content_block: block } = membersOf(event)
      if (isObject(block)) searches += searchesIn([block])
    },
    seen: () => extrasOf({ web_search: searches }, undefined),
  }
}
