import { type UsageLimits, UsageReports } from '../../billing/usage-reports.ts'
import { isObject, objectsOf } from '../../dialects/conversation/json.ts'
import { chatExtras } from '../../dialects/openai-chat/tools-used.ts'
import { noExtras } from '../../dialects/tools/tools-used.ts'
import { payloads } from '../../lib/sse.ts'
import { said } from '../exchange/answer-text.ts'
import { widestLimits } from './limits.ts'
import { usageOf } from './usage-of-answer.ts'
import type { Watch } from './watch.ts'

const errorName = Buffer.from('"error"')
const usageName = '"usage"'
const doneMark = '[DONE]'
const dataField = 'data:'

const isSpace = (character: string | undefined): boolean => character === ' ' || character === '\t'

/** Whether a usage object, not a null, stands in the events. In texts the quotes would be escaped. */
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

/** Most events report nothing, and need no parsing. */
const noteUsageIn = (events: Buffer, reports: UsageReports): void => {
  for (const payload of payloads(events.toString())) if (holdsUsage(payload)) reports.note(usageOf(parsed(payload)))
}

/** Which choices have begun, and which have a reason to finish: some providers send an empty one until then. */
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
export const watchOpenai = (limits: UsageLimits = widestLimits): Watch => {
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
    endAt: (events) => doneAt(charactersOf(events)),
    end: 'data: [DONE]\n\n',
    mayEnd: choices.areFinished,
    mayHoldError: (events) => events.includes(errorName),
    isError: (event) => isObject(event.error) && !Array.isArray(event.choices),
    noteUsage(events) {
      // What follows the end mark counts for nothing, whether it came together with the mark or later.
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
    said,
    see(event) {
      last = event
      if (isObject(event)) choices.note(event.choices)
    },
    // Each chunk repeats what there is to see.
    seen: () => (isObject(last) ? chatExtras(last) : noExtras),
  }
}
