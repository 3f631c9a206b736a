import { type UsageLimits, UsageReports, widestLimits } from '../../billing/usage-reports.ts'
import { payloads } from '../../lib/sse.ts'
import { isObject, type JsonObject, membersOf, objectsOf, parsedJson, textIn, textOf } from '../conversation/json.ts'
import { refusesInWords } from '../errors.ts'
import { saysSomething } from '../event-content.ts'
import type { AnswerText, FinishRule, PassthroughDialect, StreamInspector } from '../passthrough.ts'
import { extrasOf, tierOf } from '../tools/tools-used.ts'
import { readAnswer, readFinish } from './answer.ts'
import { readItem } from './items.ts'
import { sealsOfItems } from './seals.ts'
import { itemIdsOf } from './storage.ts'
import { billedPart, responseExtras, responseUsage, statesStandard, toolsInItems } from './tools-used.ts'

const usageName = Buffer.from('"usage"')
const errorName = Buffer.from('"error"')
const sealName = '"encrypted_content"'
const typeName = Buffer.from('"type"')
const ends = ['response.completed', 'response.incomplete'] as const
const endNames = ends.map((name) => Buffer.from(`"type":"${name}"`))

/** Index of the event that holds the byte at `at`. */
const eventStart = (events: Buffer, at: number): number => {
  const before = events.toString('latin1', 0, at)
  const boundary = Math.max(before.lastIndexOf('\n\n'), before.lastIndexOf('\n\r\n') + 1)
  return boundary <= 0 ? 0 : boundary + 2
}

/** Text may contain the event names, so the event is parsed. */
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

/** Text of an event (`delta`), or of a whole answer (its items). */
const answerText = (event: unknown): AnswerText => {
  const { delta, output } = membersOf(event)
  return { text: textOf(delta) + objectsOf(output).map(itemText).join(''), toolCalls: 0 }
}

/**
 * True if an event of a response, over HTTP or in a realtime session, holds something of it. Events with the whole response only
 * open or end it; others than those of a response are signs of life.
 */
export const saysInResponse = ({ type, response, ...event }: JsonObject): boolean =>
  textOf(type).startsWith('response.') && response === undefined && saysSomething(event)

/** The last event repeats the whole response, with the usage. */
const createInspector = (limits: UsageLimits = widestLimits): StreamInspector => {
  const reports = new UsageReports(limits)
  let id: string | undefined
  let model: string | undefined
  let sealed: readonly string[] = []
  let itemIds: readonly string[] = []
  let tools: unknown
  let tier: string | undefined
  const items: JsonObject[] = []
  return {
    endMarkAt: endAt,
    endMark: '',
    mayEnd: () => false,
    mayHoldError: (events) => events.includes(errorName) || !events.includes(typeName),
    isError: (event) => event.type === 'error' || event.type === 'response.failed' || refusesInWords(event, ['type']),
    readUsage(events) {
      if (!events.includes(usageName)) return false
      for (const payload of payloads(events.toString())) {
        if (!payload.includes('"usage"')) continue
        const event = membersOf(parsedJson(payload))
        const response = isObject(event.response) ? event.response : event
        reports.note(responseUsage(response), statesStandard(response))
        id = textOf(response.id) || id
        model = textIn(response.model) ?? model
        // The last event repeats the whole output.
        if (Array.isArray(response.output)) itemIds = itemIdsOf(response.output)
        if (payload.includes(sealName)) sealed = sealsOfItems(response.output)
      }
      return true
    },
    usage: () => reports.best,
    doubted: () => reports.doubted,
    answerId: () => id,
    // Usage comes with the end of an answer, or with the event of its failure.
    hasReported: () => false,
    says: saysInResponse,
    statedModel: () => model,
    ownId: () => id,
    textOf: answerText,
    inspect(event) {
      const { type, item, response } = membersOf(event)
      if (type === 'response.output_item.done' && isObject(item)) items.push(billedPart(item))
      if (type !== 'response.created' || !isObject(response)) return
      tools = response.tools
      tier = tierOf(response.service_tier)
    },
    extras: () => extrasOf(toolsInItems(items, tools), tier),
    seals: () => sealed,
    itemIds: () => itemIds,
  }
}

/** True for a status that ends a response; failed ones are errors. */
const finishes: FinishRule = {
  marks: ['"response.completed"', '"response.incomplete"'],
  ends: (event) => {
    const response = isObject(event.response) ? event.response : event
    if (response.status !== 'completed' && response.status !== 'incomplete') return []
    const hasCalls = objectsOf(response.output).some((item) =>
      readItem(item).parts.some(({ kind }) => kind === 'tool_call'),
    )
    return [{ index: 0, finish: readFinish(response, hasCalls) }]
  },
}

export const passthrough: PassthroughDialect = {
  finishes,
  usage: responseUsage,
  textOf: answerText,
  extras: responseExtras,
  statedModel: ({ model }) => textIn(model),
  createInspector,
  // A response always has `error`; it is null on success, and for some gateways where it failed.
  isError: ({ error, status }) => isObject(error) || status === 'failed',
  isAnswer: ({ output, usage }) => Array.isArray(output) || isObject(usage),
  readAnswer,
  seals: ({ output }) => sealsOfItems(output),
  spelling: 'named',
}
