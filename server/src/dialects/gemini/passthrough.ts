import { completionTokens } from '../../billing/usage.ts'
import { type UsageLimits, UsageReports, widestLimits } from '../../billing/usage-reports.ts'
import { payloads } from '../../lib/sse.ts'
import { isObject, membersOf, numberIn, objectsOf, parsedJson, textIn, textOf } from '../conversation/json.ts'
import { refusesInWords } from '../errors.ts'
import { saysSomething } from '../event-content.ts'
import type { AnswerText, FinishRule, PassthroughDialect, StreamInspector } from '../passthrough.ts'
import { withExtras } from '../tools/tools-used.ts'
import { readAnswer, readFinish, readUsage } from './answer.ts'
import { groundingOf, openGrounding, statesStandard } from './tools-used.ts'

const usageName = Buffer.from('"usageMetadata"')
const groundingName = Buffer.from('"groundingMetadata"')
const errorName = Buffer.from('"error"')
const candidatesName = Buffer.from('"candidates"')
/** Chunks of an answer have one of these. */
const chunkMembers = ['candidates', 'promptFeedback', 'usageMetadata']
const finishName = Buffer.from('"finishReason"')
const blockName = Buffer.from('"blockReason"')

/** Text of a stream event or of a complete answer. */
const answerText = (answer: unknown): AnswerText => {
  const parts = objectsOf(membersOf(answer).candidates).flatMap(({ content }) => objectsOf(membersOf(content).parts))
  const texts = parts.map((part) => {
    const { name, args } = membersOf(part.functionCall)
    return textOf(part.text) + textOf(name) + (args === undefined ? '' : JSON.stringify(args))
  })
  return { text: texts.join(''), toolCalls: 0 }
}

/** A stream of generateContent has no end mark; one of its last events has a finish reason. */
const createInspector = (limits: UsageLimits = widestLimits): StreamInspector => {
  const reports = new UsageReports(limits)
  let finished = false
  let model: string | undefined
  let id: string | undefined
  const grounding = openGrounding()
  return {
    endMarkAt: () => -1,
    endMark: '',
    mayEnd: () => finished,
    mayHoldError: (events) => events.includes(errorName) || !events.includes(candidatesName),
    isError: (event) => isObject(event.error) || refusesInWords(event, chunkMembers),
    readUsage(events) {
      finished ||= events.includes(finishName) || events.includes(blockName)
      if (!events.includes(usageName) && !events.includes(groundingName)) return false
      for (const payload of payloads(events.toString())) {
        const answer = membersOf(parsedJson(payload))
        reports.note(readUsage(answer.usageMetadata), statesStandard(answer.usageMetadata))
        id ??= textIn(answer.responseId)
        grounding.see(answer.candidates)
        model = textIn(answer.modelVersion) ?? model
      }
      return true
    },
    usage: () => withExtras(reports.best, grounding.extras()),
    doubted: () => reports.doubted,
    hasReported: () => reports.best !== undefined && completionTokens(reports.best) > 0,
    says: ({ candidates }) =>
      objectsOf(candidates).some(({ content, groundingMetadata }) =>
        saysSomething([membersOf(content).parts, groundingMetadata]),
      ),
    statedModel: () => model,
    ownId: () => id,
    textOf: answerText,
    inspect: () => {},
    extras: () => grounding.extras(),
  }
}

const finishes: FinishRule = {
  marks: ['"finishReason"', '"functionCall"', '"blockReason"'],
  ends: ({ candidates, promptFeedback }) => [
    // A prompt that is blocked has no candidates.
    ...(membersOf(promptFeedback).blockReason === undefined ? [] : [{ index: 0, finish: 'content_filter' } as const]),
    ...objectsOf(candidates).map(({ index, content, finishReason }, place) => {
      const hasCalls = objectsOf(membersOf(content).parts).some((part) => isObject(part.functionCall))
      const finish = typeof finishReason === 'string' ? { finish: readFinish(finishReason, hasCalls) } : {}
      return { index: numberIn(index) ?? place, hasCalls, ...finish }
    }),
  ],
}

export const passthrough: PassthroughDialect = {
  finishes,
  usage: (answer) => withExtras(readUsage(answer.usageMetadata), groundingOf(answer.candidates)),
  textOf: answerText,
  extras: ({ candidates }) => groundingOf(candidates),
  statedModel: ({ modelVersion }) => textIn(modelVersion),
  createInspector,
  isError: ({ error }) => isObject(error),
  // A prompt that is blocked has no candidates, and says why.
  isAnswer: ({ candidates, promptFeedback, usageMetadata }) =>
    Array.isArray(candidates) || isObject(promptFeedback) || isObject(usageMetadata),
  readAnswer,
  spelling: 'payloads',
}
