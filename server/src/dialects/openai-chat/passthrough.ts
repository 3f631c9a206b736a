import { completionTokens } from '../../billing/usage.ts'
import { usageFromTimings } from '../../billing/usage-openai.ts'
import { type UsageLimits, UsageReports, widestLimits } from '../../billing/usage-reports.ts'
import { payloads } from '../../lib/sse.ts'
import { failureInBaseResp } from '../base-resp.ts'
import { isObject, membersOf, numberIn, objectsOf, parsedJson, textIn } from '../conversation/json.ts'
import { refusesInWords, saysError } from '../errors.ts'
import { saysSomething } from '../event-content.ts'
import type { FinishRule, PassthroughDialect, StreamInspector } from '../passthrough.ts'
import { noExtras } from '../tools/tools-used.ts'
import { readFinish } from './answer.ts'
import { answerText } from './answer-text.ts'
import { reportedUsage } from './reported-usage.ts'
import { openStreamTier } from './stream-tier.ts'
import { chatExtras, statesStandard } from './tools-used.ts'

const errorName = Buffer.from('"error"')
const baseRespName = Buffer.from('"base_resp"')
const choicesName = Buffer.from('"choices"')
const usageName = '"usage"'
const doneMark = '[DONE]'
const dataField = 'data:'

/** Chunks of an answer have one of these. */
const chunkMembers = ['choices', 'usage', 'object']

const isSpace = (character: string | undefined): boolean => character === ' ' || character === '\t'

/** True if the events hold a usage object, not null. Inside JSON strings the quotes are escaped, so they do not match. */
const holdsUsage = (events: string): boolean => {
  let at = events.indexOf(usageName)
  while (at >= 0) {
    let value = at + usageName.length
    while (isSpace(events[value]) || events[value] === ':') value += 1
    if (events[value] === '{') return true
    at = events.indexOf(usageName, value)
  }
  return false
}

/** Index of the line `data: [DONE]`; -1 if there is none. */
const doneAt = (events: string): number => {
  // A forward search is faster for chunks without the mark, which are nearly all.
  if (!events.includes(doneMark)) return -1
  let start = events.lastIndexOf(doneMark)
  while (isSpace(events[start - 1])) start -= 1
  start -= dataField.length
  const begins = start === 0 || events[start - 1] === '\n'
  return begins && events.startsWith(dataField, start) ? start : -1
}

/** Further members of events that report usage: the model that the last of them names, and the id. */
interface Stated {
  readonly model: string | undefined
  readonly id: string | undefined
}

/** Parses only events that report usage. */
const noteUsageIn = (events: Buffer, reports: UsageReports, before: Stated): Stated => {
  let { model, id } = before
  for (const payload of payloads(events.toString())) {
    if (!holdsUsage(payload)) continue
    const event = parsedJson(payload)
    reports.note(reportedUsage(event), statesStandard(membersOf(event)))
    model = textIn(membersOf(event).model) ?? model
    id = idOf(event) ?? id
  }
  return { model, id }
}

const idOf = (event: unknown): string | undefined => (isObject(event) ? textIn(event.id) : undefined)

/** Tracks which choices have started and finished. Some providers send an empty finish reason until the end. */
const openChoices = () => {
  const begun = new Set<unknown>()
  const finished = new Set<unknown>()
  return {
    note(choices: unknown): void {
      for (const { index = 0, finish_reason: reason } of objectsOf(choices)) {
        begun.add(index)
        if (typeof reason === 'string' && reason !== '') finished.add(index)
      }
    },
    areFinished: (): boolean => finished.size > 0 && finished.size === begun.size,
  }
}

/** Inspects streams of chat completions and of completions. */
const createInspector = (limits: UsageLimits = widestLimits): StreamInspector => {
  let stated: Stated = { model: undefined, id: undefined }
  const choices = openChoices()
  const reports = new UsageReports(limits)
  const tier = openStreamTier()
  /** The latest events with usage, unparsed: most streams report once, at their end. */
  let usageEvents: Buffer | undefined
  let last: unknown
  let read: Buffer | undefined
  let characters = ''
  /** Decodes a chunk once for several searches. Latin-1 (one character per byte) is enough to find ASCII marks. */
  const charactersOf = (events: Buffer): string => {
    if (events !== read) characters = events.toString('latin1')
    read = events
    return characters
  }
  const readReports = (): void => {
    if (usageEvents !== undefined) stated = noteUsageIn(usageEvents, reports, stated)
    usageEvents = undefined
  }
  return {
    endMarkAt: (events) => doneAt(charactersOf(events)),
    endMark: 'data: [DONE]\n\n',
    mayEnd: choices.areFinished,
    mayHoldError: (events) =>
      events.includes(errorName) || !events.includes(choicesName) || events.includes(baseRespName),
    isError: (event) =>
      (saysError(event.error) && !Array.isArray(event.choices)) ||
      failureInBaseResp(event) !== undefined ||
      refusesInWords(event, chunkMembers),
    readUsage(events) {
      const found = charactersOf(events)
      tier.see(found)
      // Frees the chunk: a slow stream would hold it in memory.
      read = undefined
      characters = ''
      // Usage in the chunk of the end mark is ignored, since what follows the mark does not count.
      const isReport = holdsUsage(found) && doneAt(found) < 0
      if (!isReport) return false
      readReports()
      usageEvents = events
      return true
    },
    usage() {
      readReports()
      return tier.withTier(reports.best)
    },
    doubted() {
      readReports()
      return reports.doubted
    },
    hasReported() {
      readReports()
      return reports.best !== undefined && completionTokens(reports.best) > 0
    },
    says: ({ choices }) => objectsOf(choices).some(({ text, delta, message }) => saysSomething([text, delta, message])),
    // Each chunk names it; the last of those that were read may be all there is.
    statedModel(isRead) {
      readReports()
      return stated.model ?? (isRead ? textIn(membersOf(last).model) : undefined)
    },
    ownId() {
      readReports()
      return stated.id ?? idOf(last)
    },
    textOf: answerText,
    inspect(event) {
      last = event
      if (!isObject(event)) return
      choices.note(event.choices)
      // Events without usage are read only where none reports any.
      if (reports.best === undefined && event.timings !== undefined) reports.note(usageFromTimings(event.timings))
    },
    // Each chunk repeats the model and the tier.
    extras() {
      const extras = isObject(last) ? chatExtras(last) : noExtras
      return extras.tier === undefined && tier.tier !== undefined ? { ...extras, tier: tier.tier } : extras
    },
  }
}

/** How OpenAI's answers are read that have no choices: vectors, pictures, verdicts of a moderation. */
export const withoutChoices: PassthroughDialect = {
  usage: reportedUsage,
  textOf: answerText,
  extras: chatExtras,
  statedModel: ({ model }) => (typeof model === 'string' ? model : undefined),
  createInspector,
  isError: (answer) =>
    (answer.error !== undefined && saysError(answer.error)) ||
    (answer.base_resp !== undefined && failureInBaseResp(answer) !== undefined),
  chatChunks: true,
  spelling: 'chunks',
}

const finishes: FinishRule = {
  marks: ['"finish_reason"'],
  ends: ({ choices }) =>
    objectsOf(choices).map(({ index, finish_reason: reason }, place) => ({
      index: numberIn(index) ?? place,
      ...(typeof reason === 'string' ? { finish: readFinish(reason) } : {}),
    })),
}

export const passthrough: PassthroughDialect = {
  ...withoutChoices,
  finishes,
  isAnswer: ({ choices, usage }) =>
    (typeof usage === 'object' && usage !== null && !Array.isArray(usage)) || objectsOf(choices).length > 0,
}
