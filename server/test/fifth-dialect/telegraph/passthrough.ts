import { UsageReports, widestLimits } from '../../../src/billing/usage-reports.ts'
import { isObject, type JsonObject, membersOf, objectsOf, parsedJson } from '../../../src/dialects/conversation/json.ts'
import type { AnswerText, PassthroughDialect, StreamInspector } from '../../../src/dialects/passthrough.ts'
import { noExtras } from '../../../src/dialects/tools/tools-used.ts'
import { payloads } from '../../../src/lib/sse.ts'
import { readAnswer, readFee, textOfLine } from './answer.ts'

const feeName = Buffer.from('"fee"')
const faultName = Buffer.from('"fault"')
const endMark = 'data: {"stop":true'

/** Text of a whole answer, or of one line of a stream. */
const textOf = (answer: unknown): AnswerText => {
  const members = membersOf(answer)
  return { text: textOfLine(members) + objectsOf(members.lines).map(textOfLine).join(''), toolCalls: 0 }
}

const isError = ({ fault }: JsonObject): boolean => isObject(fault)

const createInspector = (limits = widestLimits): StreamInspector => {
  const reports = new UsageReports(limits)
  return {
    endMarkAt: (events) => events.lastIndexOf(endMark),
    endMark: `${endMark}}\n\n`,
    mayEnd: () => false,
    mayHoldError: (events) => events.includes(faultName),
    isError,
    readUsage(events) {
      if (!events.includes(feeName)) return false
      for (const payload of payloads(events.toString())) reports.note(readFee(membersOf(parsedJson(payload)).fee))
      return true
    },
    usage: () => reports.best,
    doubted: () => reports.doubted,
    // The fee stands in the last line.
    hasReported: () => false,
    says: (line) => textOf(line).text !== '',
    textOf,
    inspect: () => {},
    extras: () => noExtras,
  }
}

export const passthrough: PassthroughDialect = {
  usage: ({ fee }) => readFee(fee),
  textOf,
  extras: () => noExtras,
  createInspector,
  isError,
  readAnswer,
}
