import { cost as costOf } from '../billing/cost.ts'
import type { Price } from '../billing/price.ts'
import { AppError } from '../lib/app-error.ts'
import { type AnswerBill, answerBill } from './answer-bill.ts'
import type { AnswerCost } from './answer-cost/answer-cost.ts'
import type { CostStatement } from './answer-cost/cost-statement.ts'
import type { Client, RelayCall } from './call.ts'
import type { Answered, Outcome, ProviderAnswer } from './exchange/exchange.ts'
import type { PrintedAnswer } from './exchange/printed-answer.ts'
import { type CallFailure, failureOf } from './failure.ts'
import type { HeldCall } from './holds/place-hold.ts'
import { plainBill } from './plain-bill.ts'
import type { RelayOptions } from './ports.ts'
import { abortedRecord } from './records/aborted-record.ts'
import type { AttemptLog } from './records/attempt-log.ts'
import type { Charged } from './records/charged.ts'
import { noteSeals } from './records/note-answer.ts'
import { chargeRecord } from './records/record.ts'
import type { Print, RelayedCallParts } from './relayed-call-parts.ts'
import { settleHedge } from './routing/hedging/settle-hedge.ts'
import { unanswered } from './routing/no-channel.ts'
import type { AnswerCheck } from './stream/answer-guard.ts'
import { usageOfAnswer } from './usage/answer-usage.ts'
import type { Bill } from './with-hold.ts'

/** A call over HTTP whose channels were asked. */
export interface AskedCall {
  readonly call: RelayCall
  readonly client: Client
  readonly attemptLog: AttemptLog
  readonly held: HeldCall
  /** Price at which it was answered. */
  readonly price: Price
  readonly options: RelayOptions
  readonly costStatement: CostStatement | undefined
  readonly print: Print | undefined
  readonly parts: RelayedCallParts
}

/** The part of an answer that its client gets after the charge. */
export interface AnswerDelivery {
  /** undefined where the client left before the first byte and pays its prompt. */
  readonly answer?: ProviderAnswer
  /** The rest of the answer; undefined where the client gets a failure or has gone. */
  readonly rest?: PrintedAnswer | undefined
  /** Why the answer ended early, as its client reads it. */
  readonly failure: CallFailure | undefined
  /** Cost of the call, where its client requested it. */
  readonly answerCost?: AnswerCost | undefined
}

/** The bill of an answered call. */
export const settleAnswered = (
  outcome: Answered,
  asked: AskedCall,
): Bill<AnswerDelivery> | Promise<Bill<AnswerDelivery>> => {
  const { call, attemptLog, price, options, parts } = asked
  const billed = { outcome, call, attemptLog, parts, quotaPerUnit: options.amounts.quotaPerUnit }
  const plain = plainBill(billed, price)
  if (plain !== undefined) return chargeOf(outcome, plain, asked)
  const used = usageOfAnswer(billed, price, { ...parts, models: options.models })
  return used instanceof Promise
    ? used.then((counted) => chargeOf(outcome, answerBill(billed, counted, price), asked))
    : chargeOf(outcome, answerBill(billed, used, price), asked)
}

const chargeOf = (outcome: Answered, bill: AnswerBill, asked: AskedCall): Bill<AnswerDelivery> => {
  const { call, client, attemptLog, held, options, costStatement, print, parts } = asked
  const { used, usage, receipt, price, cost, cache } = bill
  const { note, free } = used
  const answerCost = costStatement?.charged(receipt, usage)
  const { failure, end, cause, blockedWord } = endingOf(client, outcome, options.answerCheck)
  const { answer } = outcome
  if (call.trace !== undefined) call.trace.answered(answer.statedModel?.(false) ?? '', answer.finishReasons?.() ?? [])
  if (answer.seals !== undefined) noteSeals(answer.seals(), attemptLog, parts.sealPlaces)
  attemptLog.unsupported = call.removed === undefined ? answer.unsupported : [...call.removed, ...answer.unsupported]
  if (attemptLog.hedge !== undefined) settleHedge(usage, call, attemptLog, parts.costs)
  const { quota } = receipt
  const lane = call.lane?.charged({ usage, quota, standardOf: (standard) => (free ? quota : costOf(standard, price)) })
  const charged = { usage, receipt, price, cost, end, cause, blockedWord, note, free, cache, lane }
  const record = chargeRecord(call, attemptLog, charged, parts.clock())
  const whole = failure === undefined && !client.gone ? answer.print(used) : undefined
  const rest = answerCost && whole ? costStatement?.client.finished(whole, answerCost) : whole
  const printed = failure === undefined || print === undefined ? failure : { ...failure, printed: print(failure) }
  parts.placer.learn(call, held, usage)
  call.capture?.recorded(record)
  return { kind: 'charge', record, answer: { answer, rest, failure: printed, answerCost } }
}

/** How an answer ended, as it is recorded, and the failure that its client gets. */
type AnswerEnding = Pick<Charged, 'end' | 'cause' | 'blockedWord'> & {
  readonly failure: CallFailure | undefined
}

/** The ending of an answered call; blocked words of whole answers are searched here. */
const endingOf = (client: Client, { answer, end, failure }: Answered, check: AnswerCheck): AnswerEnding => {
  // Words of a stream were looked for while it ran.
  const blockedWord = answer.begun || check.words.length > 0 ? answer.blockedWord(check.words) : undefined
  if (answer.begun) return { end, cause: failure?.cause, blockedWord, failure }
  if (blockedWord === undefined || !check.stop) {
    return { end: client.gone ? 'client_gone' : 'done', cause: undefined, blockedWord, failure: undefined }
  }
  const stopped = failureOf(new AppError('sensitive_words_in_answer', { details: { word: blockedWord } }))
  return { end: 'stopped', cause: stopped.cause, blockedWord, failure: stopped }
}

/** The bill of a call whose client left before the first byte; `isBilled` where its channel bills such calls. */
export const settleAborted = async (
  { call, attemptLog, price, options, parts }: AskedCall,
  isBilled: boolean,
): Promise<Bill<AnswerDelivery>> => {
  const record = isBilled
    ? await abortedRecord(call, price, attemptLog, { ...parts, models: options.models })
    : undefined
  if (record !== undefined) return { kind: 'charge', record, answer: { failure: undefined } }
  return { kind: 'fail', failure: failureOf(new AppError('client_gone')) }
}

/** A call that no channel has answered, or whose answer its client does not get, is free. */
export const settleUnanswered = (
  outcome: Exclude<Outcome, { kind: 'client_gone' }> | undefined,
  { call, attemptLog, parts }: AskedCall,
): Bill<AnswerDelivery> => {
  if (outcome?.kind === 'answered' && outcome.failure !== undefined) return { kind: 'fail', failure: outcome.failure }
  const refusal = outcome?.kind === 'refused' ? outcome.refusal : undefined
  return { kind: 'fail', failure: unanswered(call, refusal, attemptLog, parts.channels) }
}
