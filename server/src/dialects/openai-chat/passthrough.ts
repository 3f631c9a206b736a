import { type UsageLimits, UsageReports, widestLimits } from '../../billing/usage-reports.ts'
import { payloads } from '../../lib/sse.ts'
import { isObject, objectsOf } from '../conversation/json.ts'
import type { PassthroughDialect, StreamInspector } from '../passthrough.ts'
import { noExtras } from '../tools/tools-used.ts'
import { answerText } from './answer-text.ts'
import { reportedUsage } from './reported-usage.ts'
import { chatExtras } from './tools-used.ts'

const errorName = Buffer.from('"error"')
const usageName = '"usage"'
const doneMark = '[DONE]'
const dataField = 'data:'

const isSpace = (character: string | undefined): boolean => character === ' ' || character === '\t'

/** True if the events hold a usage object, not a null. In texts the quotes are escaped. */
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

/** Where the line `data: [DONE]` begins. */
const doneAt = (events: string): number => {
  // Looking forward is the faster way to find nothing.
  if (!events.includes(doneMark)) return -1
  let start = events.lastIndexOf(doneMark)
  while (isSpace(events[start - 1])) start -= 1
  start -= dataField.length
  const begins = start === 0 || events[start - 1] === '\n'
  return begins && events.startsWith(dataField, start) ? start : -1
}

const parsed = (payload: string): unknown => {
  try {
    return JSON.parse(payload)
  } catch {
    return undefined
  }
}

/** Parses only events that report usage. */
const noteUsageIn = (events: Buffer, reports: UsageReports): void => {
  for (const payload of payloads(events.toString()))
    if (holdsUsage(payload)) reports.note(reportedUsage(parsed(payload)))
}

/** Counts choices that have begun and that have a finish reason; some providers send an empty reason until the end. */
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

/** Chat completions and completions. */
const createInspector = (limits: UsageLimits = widestLimits): StreamInspector => {
  const choices = openChoices()
  const reports = new UsageReports(limits)
  /** Not read yet: most streams report once, at their end. */
  let usageEvents: Buffer | undefined
  let last: unknown
  let read: Buffer | undefined
  let characters = ''
  /** A character per byte, which is all that looking for marks needs, and each chunk is looked at for several. */
  const charactersOf = (events: Buffer): string => {
    if (events !== read) characters = events.toString('latin1')
    read = events
    return characters
  }
  const readReports = (): void => {
    if (usageEvents !== undefined) noteUsageIn(usageEvents, reports)
    usageEvents = undefined
  }
  return {
    endMarkAt: (events) => doneAt(charactersOf(events)),
    endMark: 'data: [DONE]\n\n',
    mayEnd: choices.areFinished,
    mayHoldError: (events) => events.includes(errorName),
    isError: (event) => isObject(event.error) && !Array.isArray(event.choices),
    readUsage(events) {
      // Everything after the end mark is ignored, also in the same chunk.
      const found = charactersOf(events)
      // A slow stream must not keep its last chunk in memory.
      read = undefined
      characters = ''
      const isReport = holdsUsage(found) && doneAt(found) < 0
      if (!isReport) return false
      readReports()
      usageEvents = events
      return true
    },
    usage() {
      readReports()
      return reports.best
    },
    doubted() {
      readReports()
      return reports.doubted
    },
    textOf: answerText,
    inspect(event) {
      last = event
      if (isObject(event)) choices.note(event.choices)
    },
    // Each chunk repeats them.
    extras: () => (isObject(last) ? chatExtras(last) : noExtras),
  }
}

export const passthrough: PassthroughDialect = {
  usage: reportedUsage,
  textOf: answerText,
  extras: chatExtras,
  createInspector,
  isError: (answer) => isObject(answer.error),
  chatChunks: true,
}
