import type { Usage } from '../billing/usage.ts'
import { isObject } from '../dialects/json.ts'
import { chatExtras } from '../dialects/openai-chat/tools-used.ts'
import { noExtras } from '../dialects/tools-used.ts'
import { payloads } from '../lib/sse.ts'
import { said } from './answer-text.ts'
import { usageOf } from './usage-of-answer.ts'
import type { Watch } from './watch.ts'

const usageName = Buffer.from('"usage"')
const errorName = Buffer.from('"error"')
const doneBytes = Buffer.from('[DONE]')
const openBrace = 123
const colon = 58
const lineFeed = 10

const isSpace = (byte: number | undefined): boolean => byte === 32 || byte === 9

/** Whether a usage object, not a null, stands in the events. In texts the quotes would be escaped. */
const holdsUsage = (events: Buffer): boolean => {
  let at = events.indexOf(usageName)
  while (at >= 0) {
    let value = at + usageName.length
    while (isSpace(events[value]) || events[value] === colon) value += 1
    if (events[value] === openBrace) return true
    at = events.indexOf(usageName, value)
  }
  return false
}

/** Where the line `data: [DONE]` begins. */
const doneAt = (events: Buffer): number => {
  const at = events.lastIndexOf(doneBytes)
  if (at < 0) return -1
  let start = at
  while (isSpace(events[start - 1])) start -= 1
  start -= 'data:'.length
  const begins = start === 0 || events[start - 1] === lineFeed
  return begins && events.toString('latin1', start, start + 5) === 'data:' ? start : -1
}

const parsed = (payload: string): unknown => {
  try {
    return JSON.parse(payload)
  } catch {
    return undefined
  }
}

const usageIn = (events: Buffer): Usage | undefined => {
  for (const payload of payloads(events.toString()).reverse()) {
    // Most events do not name it, and need no parsing.
    const usage = payload.includes('"usage"') ? usageOf(parsed(payload)) : undefined
    if (usage !== undefined) return usage
  }
  return undefined
}

/** Chat completions and completions. */
export const watchOpenai = (): Watch => {
  let usageEvents: Buffer | undefined
  let before: Usage | undefined
  let last: unknown
  return {
    endAt: doneAt,
    end: 'data: [DONE]\n\n',
    mayEnd: () => true,
    mayHoldError: (events) => events.includes(errorName),
    isError: (event) => isObject(event.error) && !Array.isArray(event.choices),
    noteUsage(events) {
      // What follows the end mark counts for nothing, whether it came together with the mark or later.
      const reports = holdsUsage(events) && doneAt(events) < 0
      if (!reports) return false
      // A report that cannot be billed does not undo the one before.
      if (usageEvents !== undefined) before = usageIn(usageEvents) ?? before
      usageEvents = events
      return true
    },
    usage: () => (usageEvents === undefined ? undefined : (usageIn(usageEvents) ?? before)),
    said,
    see(event) {
      last = event
    },
    // Each chunk repeats what there is to see.
    seen: () => (isObject(last) ? chatExtras(last) : noExtras),
  }
}
