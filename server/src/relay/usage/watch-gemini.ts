import { type UsageLimits, UsageReports } from '../../billing/usage-reports.ts'
import { isObject, membersOf, objectsOf, parsedJson, textOf } from '../../dialects/conversation/json.ts'
import { readUsage } from '../../dialects/gemini/answer.ts'
import { openGrounding } from '../../dialects/gemini/tools-used.ts'
import { withExtras } from '../../dialects/tools/tools-used.ts'
import { payloads } from '../../lib/sse.ts'
import type { Said } from '../exchange/answer-text.ts'
import { widestLimits } from './limits.ts'
import type { Watch } from './watch.ts'

const usageName = Buffer.from('"usageMetadata"')
const groundingName = Buffer.from('"groundingMetadata"')
const errorName = Buffer.from('"error"')
const finishName = Buffer.from('"finishReason"')
const blockName = Buffer.from('"blockReason"')

const saidIn = (answer: unknown): Said => {
  const parts = objectsOf(membersOf(answer).candidates).flatMap(({ content }) => objectsOf(membersOf(content).parts))
  const texts = parts.map((part) => {
    const { name, args } = membersOf(part.functionCall)
    return textOf(part.text) + textOf(name) + (args === undefined ? '' : JSON.stringify(args))
  })
  return { text: texts.join(''), toolCalls: 0 }
}

/** generateContent in pieces: no mark ends it, but the reason for the end stands in one of the last pieces. */
export const watchGemini = (limits: UsageLimits = widestLimits): Watch => {
  const reports = new UsageReports(limits)
  let finished = false
  const grounding = openGrounding()
  return {
    endAt: () => -1,
    end: '',
    mayEnd: () => finished,
    mayHoldError: (events) => events.includes(errorName),
    isError: (event) => isObject(event.error),
    noteUsage(events) {
      finished ||= events.includes(finishName) || events.includes(blockName)
      if (!events.includes(usageName) && !events.includes(groundingName)) return false
      for (const payload of payloads(events.toString())) {
        const answer = membersOf(parsedJson(payload))
        reports.note(readUsage(answer.usageMetadata))
        grounding.see(answer.candidates)
      }
      return true
    },
    usage: () => withExtras(reports.best, grounding.extras()),
    doubted: () => reports.doubted,
    said: saidIn,
    see: () => {},
    seen: () => grounding.extras(),
  }
}
