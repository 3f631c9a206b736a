import { receiptOf } from '../billing/cost.ts'
import type { Price } from '../billing/price.ts'
import { withToolsOf } from '../billing/tool-prices.ts'
import { AppError } from '../lib/app-error.ts'
import { abortedRecord } from './aborted-call.ts'
import type { CallFacts, Client, RelayCall } from './call.ts'
import type { Answered, Used } from './exchange/exchange.ts'
import { clientGone, HttpAttempt, type HttpAttemptParts } from './exchange/http-attempt.ts'
import { type PrintedAnswer, sendAnswer } from './exchange/printed-answer.ts'
import { priceFor } from './exchange/unpriced.ts'
import { type CallFailure, failureOf } from './failure.ts'
import { grantedHold } from './holds/granted-hold.ts'
import { createHoldPlacer, type HeldCall } from './holds/place-hold.ts'
import { StreamProgress } from './holds/stream-progress.ts'
import { openUsualOutput } from './holds/usual-output.ts'
import type { Caller, Holds, Prices, Recorder, RelayOptions, RequestRecord, TokenCounter } from './ports.ts'
import { type AttemptLog, type Charged, chargeRecord, createAttemptLog } from './record.ts'
import { recordFailure } from './record-failure.ts'
import type { RefusalRows } from './refusals/refusal-rows.ts'
import type { KeptAnswers } from './routing/kept-answers.ts'
import { unanswered } from './routing/no-channel.ts'
import { routedModel } from './routing/plan.ts'
import { tryChannels } from './routing/try-channels.ts'
import { isSensitive } from './sensitive.ts'
import type { AnswerCheck } from './stream/answer-guard.ts'
import { openKeepAlive } from './stream/keep-alive.ts'
import { promptReaderOf } from './usage/prompt-reader.ts'
import { usedBy } from './usage/used.ts'

export interface RelayParts extends Omit<HttpAttemptParts, 'keepAlive'> {
  readonly recorder: Recorder
  /** Remembers which channel stores a response; absent where nothing is remembered. */
  readonly kept?: KeptAnswers
  readonly prices: Prices
  readonly holds: Holds
  readonly counter: TokenCounter
  readonly options: () => RelayOptions
  /** Milliseconds without a first byte after which a stream's client hears a comment; 0 for never. */
  readonly keepAliveMs: number
  /** False while calls cannot be recorded: none may begin. */
  readonly ready: () => boolean
  /** Bounds the rows of refused calls; absent where nothing does. */
  readonly refusalRows?: Pick<RefusalRows, 'admit'>
  readonly log: (event: string, fields: Readonly<Record<string, unknown>>) => void
}

export interface Relay {
  /**
   * Answers a call: hold, try, record, end. What comes back is a failure that the client still has to be told, as an answer
   * or, when its stream has begun, as an event in it. Money is settled or given back by then, and the record of the call is
   * written: there must be no second one. `print` renders a failure for the client; it is called before a charge.
   */
  answer(call: RelayCall, client: Client, print?: (failure: CallFailure) => string): Promise<CallFailure | undefined>
  /**
   * Whether anything is left to pay a call with, whatever it costs; at once where one node keeps the balances.
   * Throws AppError: `insufficient_user_quota`, `pre_consume_token_quota_failed`.
   */
  assertCanPay(caller: Caller): void | Promise<void>
  /** Records a call that was refused after its caller was known. */
  refuse(facts: CallFacts, failure: CallFailure): Promise<void>
}

/** A call that somebody answered, and all that its end needs. */
interface AnsweredCall {
  readonly call: RelayCall
  readonly client: Client
  readonly price: Price
  readonly attemptLog: AttemptLog
  readonly outcome: Answered
  readonly check: AnswerCheck
}

interface Settlement {
  readonly record: RequestRecord
  /** Quota units. */
  readonly quota: number
  readonly failure: CallFailure | undefined
}

type Ending = Pick<Charged, 'end' | 'cause' | 'blockedWord'> & { readonly failure: CallFailure | undefined }

/** How an answer ended, and the failure that its client is told. */
const endingOf = (client: Client, { answer, end, failure }: Answered, check: AnswerCheck): Ending => {
  const blockedWord = answer.blockedWord(check.words)
  if (answer.begun) return { end, cause: failure?.cause, blockedWord, failure }
  if (blockedWord === undefined || !check.stop) {
    return { end: client.gone ? 'client_gone' : 'done', cause: undefined, blockedWord, failure: undefined }
  }
  const stopped = failureOf(new AppError('sensitive_words_in_answer', { details: { word: blockedWord } }))
  return { end: 'stopped', cause: stopped.cause, blockedWord, failure: stopped }
}

export const createRelay = (relayParts: RelayParts): Relay => {
  const parts = { ...relayParts, keepAlive: openKeepAlive(relayParts.keepAliveMs) }
  const placer = createHoldPlacer({ holds: parts.holds, counter: parts.counter, usual: openUsualOutput() })

  /** What the call costs, and how it ends once that is recorded. */
  const settlementOf = ({ call, client, price, attemptLog, outcome, check }: AnsweredCall, used: Used): Settlement => {
    const { usage, estimated } = used
    const billed = usage.tools === undefined ? price : withToolsOf(price, attemptLog.upstreamModel)
    const receipt = receiptOf(usage, billed, { estimated })
    const { failure, end, cause, blockedWord } = endingOf(client, outcome, check)
    const charged = { usage, receipt, price, end, cause, blockedWord, note: used.note }
    attemptLog.unsupported = outcome.answer.unsupported
    return { record: chargeRecord(call, attemptLog, charged, parts.clock()), quota: receipt.quota, failure }
  }

  /** After the charge nothing may fail the call: what goes wrong is logged. `outcome` is the answer, where there is one. */
  const noteCharge = (call: RelayCall, attemptLog: AttemptLog, quota: number, outcome?: Answered): void => {
    try {
      if (outcome !== undefined) remember(call, attemptLog, outcome)
      parts.channels.charged?.(attemptLog.channelId, routedModel(call.model), quota)
    } catch (error) {
      parts.log('charge_listener_failed', { request_id: call.id, error })
    }
  }

  /** Sends what is ready; where that fails, the client's connection breaks. */
  const conclude = (
    { call, client, attemptLog, outcome }: AnsweredCall,
    quota: number,
    ready: PrintedAnswer | undefined,
  ): void => {
    noteCharge(call, attemptLog, quota, outcome)
    try {
      if (ready !== undefined) sendAnswer(client, ready)
    } catch (error) {
      parts.log('charged_answer_unsent', { request_id: call.id, error })
      client.abandon()
    }
  }

  const refuse = (facts: CallFacts, failure: CallFailure, attemptLog?: AttemptLog): Promise<void> =>
    recordFailure(facts, failure, attemptLog, parts)

  /** Providers keep responses unless they are told not to. */
  const remember = (call: RelayCall, attemptLog: AttemptLog, outcome: Answered): void => {
    if (parts.kept === undefined || !call.dialect?.storedAnswers?.isStored(call.body)) return
    const id = outcome.answer.answerId()
    if (id !== undefined) parts.kept.note(id, call.caller.userId, attemptLog)
  }

  /** Binds a call with previous_response_id to the channel and the account that stored the response. */
  const bound = async (call: RelayCall): Promise<RelayCall> => {
    const { kept, channels } = parts
    const id = call.dialect?.storedAnswers?.continuedFrom(call.body)
    if (id === undefined || kept === undefined) return call
    const stored = await kept.find(id, call.caller.userId)
    if (stored === undefined) return call
    const channel = channels.snapshot().byId(stored.channelId)
    // Other keys of the channel may belong to other accounts, which do not know the response.
    const key = channel?.keys.find((one) => kept.keyHashOf(one) === stored.keyHash)
    return { ...call, place: { channel, key } }
  }

  // One function, not three that wait for each other: every wait costs each call.
  const answer = async (
    given: RelayCall,
    client: Client,
    print?: (failure: CallFailure) => string,
  ): Promise<CallFailure | undefined> => {
    const attemptLog = createAttemptLog()
    let call = given
    let held: HeldCall | undefined
    let progress: StreamProgress | undefined
    let attempt: HttpAttempt | undefined
    try {
      const options = parts.options()
      if (!parts.ready()) throw new AppError('recording_failed')
      if (isSensitive(call, options.sensitiveWords, promptReaderOf(call)))
        throw new AppError('sensitive_words_detected')
      if (call.dialect?.storedAnswers !== undefined) call = await bound(call)
      const price = priceFor(parts.prices, call)
      const placed = placer.place(call, price, options)
      held = placed instanceof Promise ? await placed : placed
      if (call.stream) progress = new StreamProgress({ call, price, attemptLog, held, options }, parts)
      attempt = new HttpAttempt(call, client, progress, options, attemptLog, parts)
      const outcome = await tryChannels(call, attempt, options, attemptLog, parts)
      if (outcome?.kind === 'client_gone') {
        const record = attempt.billsAborted(outcome) ? await abortedRecord(call, price, attemptLog, parts) : undefined
        if (record === undefined) {
          await refuse(call, clientGone(), attemptLog)
          return clientGone()
        }
        await parts.recorder.end(record, held.hold)
        noteCharge(call, attemptLog, record.quota)
        return undefined
      }
      if (outcome !== undefined && outcome.kind !== 'refused') {
        const counted = usedBy(outcome, call, attemptLog.upstreamModel, parts.counter)
        const used = counted instanceof Promise ? await counted : counted
        const answered = { call, client, price, attemptLog, outcome, check: options.answerCheck }
        const { record, quota, failure } = settlementOf(answered, used)
        // All that the client gets exists before the charge: what cannot be built costs nothing.
        const ready = failure === undefined && !client.gone ? outcome.answer.print(used) : undefined
        const rendered =
          failure === undefined || print === undefined ? failure : { ...failure, printed: print(failure) }
        placer.learn(call, held, used.usage)
        await parts.recorder.end(record, held.hold)
        conclude(answered, quota, ready)
        return rendered
      }
      const failure = unanswered(call, outcome?.refusal, attemptLog, parts.channels)
      await refuse(call, failure, attemptLog)
      return failure
    } catch (error) {
      held?.hold.release()
      const ours = error instanceof AppError ? error : new AppError('internal_error', { cause: error })
      if (!(error instanceof AppError)) parts.log('relay_call_failed', { request_id: call.id, error })
      const failure = failureOf(ours)
      await refuse(call, failure, attemptLog)
      return failure
    } finally {
      attempt?.close()
      held?.hold.release()
      progress?.release()
    }
  }

  const assertCanPay = ({ userId, tokenId, tokenUnlimited, keyHint }: Caller): void | Promise<void> => {
    const { amounts } = parts.options()
    const answer = parts.holds.hold({ userId, tokenId, tokenUnlimited, amount: 0 })
    if (answer instanceof Promise) return answer.then((late) => grantedHold(late, amounts, keyHint).release())
    grantedHold(answer, amounts, keyHint).release()
  }

  return { answer, assertCanPay, refuse: (facts, failure) => refuse(facts, failure) }
}
