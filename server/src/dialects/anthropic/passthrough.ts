import { ownMember } from '@tollgate/contract/own-member'
import { completionTokens, type Usage } from '../../billing/usage.ts'
import { type UsageLimits, UsageReports, widestLimits } from '../../billing/usage-reports.ts'
import { payloads } from '../../lib/sse.ts'
import { isObject, type JsonObject, membersOf, objectsOf, parsedJson, textIn, textOf } from '../conversation/json.ts'
import { refusesInWords } from '../errors.ts'
import { saysSomething } from '../event-content.ts'
import { thoughtsAt } from '../facts/models.ts'
import type { AnswerText, FinishRule, PassthroughDialect, StreamInspector } from '../passthrough.ts'
import { type Extras, extrasOf, withStreamExtras } from '../tools/tools-used.ts'
import { messageUsage, readAnswer, readFinish, readUsage } from './answer.ts'
import { fallbackModel } from './billed/iterations.ts'
import { bringsOutput, isRefusedAtOnce, saysRefused } from './billed/refusals.ts'
import { sealsMade } from './seals.ts'
import { searchesIn, statesStandard, unknownCalls } from './tools-used.ts'

const usageName = Buffer.from('"usage"')
const serverToolName = Buffer.from('"server_tool_use"')
const thoughtNames = ['signature_delta', 'redacted_thinking'].map((name) => Buffer.from(name))
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
  let model: string | undefined
  let refused = false
  let wrote = false
  /** Calls of undeclared tools by name; undefined for almost all streams. */
  let unknown: Record<string, number> | undefined
  let id: string | undefined
  /** Null until the model is known, and for models whose thoughts every account reads. */
  let sealed: string[] | null = null
  const noteSeals = ({ delta, content_block: block }: JsonObject): void => {
    const { type, signature } = membersOf(delta)
    const signed = type === 'signature_delta' ? { type: 'thinking', signature } : block
    sealed?.push(...sealsMade([signed], model ?? ''))
  }
  const noteTools = (event: JsonObject): void => {
    const calls = Object.entries(unknownCalls(objectsOf([event.content_block])))
    for (const [tool, count] of calls) unknown = { ...unknown, [tool]: (ownMember(unknown ?? {}, tool) ?? 0) + count }
  }
  const note = (value: unknown): void => {
    if (!isObject(value)) return
    usage = { ...usage, ...Object.fromEntries(Object.entries(value).filter(([, count]) => count !== null)) }
    reports.note(readUsage(usage), statesStandard(usage))
  }
  return {
    endMarkAt: stopAt,
    endMark: 'event: message_stop\ndata: {"type":"message_stop"}\n\n',
    mayEnd: () => false,
    mayHoldError: (events) => events.includes(errorName) || !events.includes(typeName),
    isError: (event) => event.type === 'error' || refusesInWords(event, ['type']),
    readUsage(events) {
      const holdsUsage = events.includes(usageName)
      const maySeal = sealed !== null && thoughtNames.some((name) => events.includes(name))
      if (!holdsUsage && !maySeal && !events.includes(serverToolName)) return false
      for (const payload of payloads(events.toString())) {
        if (isStop(payload)) break
        const mayCall = payload.includes('"server_tool_use"')
        const maySign = sealed !== null && /"(signature_delta|redacted_thinking)"/.test(payload)
        if (!mayCall && !maySign && !payload.includes('"usage"')) continue
        const event = membersOf(parsedJson(payload))
        if (maySign) noteSeals(event)
        if (mayCall) noteTools(event)
        const message = membersOf(event.message)
        model = textIn(message.model) ?? model
        if (isObject(event.message) && thoughtsAt(model ?? '') === 'account') sealed ??= []
        id ??= textIn(message.id)
        note(message.usage)
        note(event.usage)
        isWhole ||= isObject(event.usage)
        refused ||= saysRefused(event)
      }
      return holdsUsage
    },
    usage: () => withCalls(reports.best, unknown),
    doubted: () => reports.doubted,
    isPartial: () => !isWhole,
    // The opening states the prompt, and a first token that was not said.
    hasReported: () => isWhole && reports.best !== undefined && completionTokens(reports.best) > 0,
    says: (event) => saysSomething([event.content_block, event.type === 'content_block_delta' && event.delta]),
    ownId: () => id,
    textOf: answerText,
    statedModel: () => model,
    refusedAtOnce(readAll) {
      if (!refused) return false
      readAll()
      return !wrote
    },
    inspect(event) {
      const members = membersOf(event)
      const { content_block: block } = members
      wrote ||= bringsOutput(members)
      model = fallbackModel(membersOf(block)) ?? model
      if (isObject(block)) searches += searchesIn([block])
    },
    extras: () => extrasOf({ ...unknown, web_search: searches }, undefined),
    seals: () => sealed ?? [],
  }
}

const withCalls = (usage: Usage | undefined, calls: Extras['tools']): Usage | undefined =>
  usage === undefined || calls === undefined ? usage : withStreamExtras(usage, extrasOf(calls, undefined))

const finishes: FinishRule = {
  marks: ['"stop_reason"'],
  ends: ({ stop_reason: reason, delta }) => {
    const stated = reason ?? membersOf(delta).stop_reason
    return typeof stated === 'string' ? [{ index: 0, finish: readFinish(stated) }] : []
  },
}

export const passthrough: PassthroughDialect = {
  finishes,
  usage: (answer) => messageUsage(answer),
  textOf: answerText,
  extras: ({ content }) =>
    extrasOf({ ...unknownCalls(objectsOf(content)), web_search: searchesIn(objectsOf(content)) }, undefined),
  statedModel: ({ model }) => textIn(model),
  refusedAtOnce: isRefusedAtOnce,
  createInspector,
  isError: ({ type }) => type === 'error',
  isAnswer: ({ content, usage }) => Array.isArray(content) || isObject(usage),
  readAnswer,
  seals: ({ content, model }, asked) => sealsMade(content, textIn(model) ?? asked),
  spelling: 'named',
}
