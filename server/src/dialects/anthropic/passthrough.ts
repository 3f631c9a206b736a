import { type UsageLimits, UsageReports, widestLimits } from '../../billing/usage-reports.ts'
import { payloads } from '../../lib/sse.ts'
import { isObject, type JsonObject, membersOf, objectsOf, parsedJson, textOf } from '../conversation/json.ts'
import type { AnswerText, PassthroughDialect, StreamInspector } from '../passthrough.ts'
import { refusesInWords } from '../refusal-in-words.ts'
import { extrasOf } from '../tools/tools-used.ts'
import { readAnswer, readUsage } from './answer.ts'
import { searchesIn } from './tools-used.ts'

const usageName = Buffer.from('"usage"')
const errorName = Buffer.from('"error"')
const typeName = Buffer.from('"type"')
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

/** The first `message_stop` ends the answer. Text may contain that word, so each data line is parsed. */
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

/** Text of a stream event or of a complete answer. */
const answerText = (event: unknown): AnswerText => {
  const { delta, content_block: block, content } = membersOf(event)
  const countedText = (value: unknown): string => {
    const { text, thinking, partial_json: json, name } = membersOf(value)
    return textOf(text) + textOf(thinking) + textOf(json) + textOf(name)
  }
  const blocks = Array.isArray(content) ? (content as unknown[]).map(countedText).join('') : ''
  return { text: countedText(delta) + countedText(block) + blocks, toolCalls: 0 }
}

/** The first event reports input tokens, the second-last one output tokens. */
const createInspector = (limits: UsageLimits = widestLimits): StreamInspector => {
  const reports = new UsageReports(limits)
  let usage: JsonObject | undefined
  let searches = 0
  let isWhole = false
  const note = (value: unknown): void => {
    if (!isObject(value)) return
    usage = { ...usage, ...Object.fromEntries(Object.entries(value).filter(([, count]) => count !== null)) }
    reports.note(readUsage(usage))
  }
  return {
    endMarkAt: stopAt,
    endMark: 'event: message_stop\ndata: {"type":"message_stop"}\n\n',
    mayEnd: () => false,
    mayHoldError: (events) => events.includes(errorName) || !events.includes(typeName),
    isError: (event) => event.type === 'error' || refusesInWords(event, ['type']),
    readUsage(events) {
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
    textOf: answerText,
    inspect(event) {
      const { content_block: block } = membersOf(event)
      if (isObject(block)) searches += searchesIn([block])
    },
    extras: () => extrasOf({ web_search: searches }, undefined),
  }
}

export const passthrough: PassthroughDialect = {
  usage: (answer) => readUsage(answer.usage),
  textOf: answerText,
  extras: ({ content }) => extrasOf({ web_search: searchesIn(objectsOf(content)) }, undefined),
  createInspector,
  isError: ({ type }) => type === 'error',
  isAnswer: ({ content, usage }) => Array.isArray(content) || isObject(usage),
  readAnswer,
}
