import type { Price } from '../../billing/price.ts'
import type { RelayCall } from '../call.ts'
import type { Answered, Used } from '../exchange/exchange.ts'
import type { AttemptLog } from '../records/attempt-log.ts'
import { countedByEngine, mayCountAtEngine } from './counted-by-engine.ts'
import { freeRefusal } from './free-refusal.ts'
import { mayCountOne, type SeveralAnswersParts, withAllAnswers } from './several-answers.ts'
import { usedBy } from './used.ts'

/** An answer with its call. */
interface UsedAnswer {
  readonly outcome: Answered
  readonly call: RelayCall
  readonly attemptLog: AttemptLog
}

/** Usage for which an answer is billed: reported or counted, and completed by an inference engine; nothing for a free refusal. */
export const usageOfAnswer = (answered: UsedAnswer, price: Price, parts: SeveralAnswersParts): Used | Promise<Used> => {
  const { outcome, call, attemptLog } = answered
  const used =
    freeRefusal(outcome, attemptLog.channel) ?? usedBy(outcome, call, attemptLog.upstreamModel, parts.counter, price)
  return used instanceof Promise
    ? used.then((late) => ofAllAnswers(late, answered, parts))
    : ofAllAnswers(used, answered, parts)
}

/**
 * Usage completed by an inference engine: its answers may report one of several choices, and for an interrupted stream it can still
 * count the prompt.
 */
const ofAllAnswers = (
  used: Used,
  { outcome: answered, call, attemptLog }: UsedAnswer,
  parts: SeveralAnswersParts,
): Used | Promise<Used> => {
  const { channel, upstreamModel: model } = attemptLog
  if (mayCountAtEngine({ call, end: answered.end }, used, channel))
    return countedByEngine(used, { answered, call, channel, model }, parts)
  if (!mayCountOne(call, used, channel)) return used
  return withAllAnswers(used, { answered, call, channel, model }, parts)
}
