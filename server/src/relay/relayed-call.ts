import type { Price } from '../billing/price.ts'
import { AppError } from '../lib/app-error.ts'
import type { CallNeed, LimitRefusal } from '../limits/call-limits.ts'
import { CostStatement } from './answer-cost/cost-statement.ts'
import type { Client, RelayCall } from './call.ts'
import { NotingClient } from './direct/noting-client.ts'
import { dearestOfNamed, priceFor } from './exchange/call-price.ts'
import type { Outcome } from './exchange/exchange.ts'
import { HttpAttempt } from './exchange/http-attempt.ts'
import { sendAnswer } from './exchange/printed-answer.ts'
import type { CallFailure } from './failure.ts'
import type { HeldCall } from './holds/place-hold.ts'
import { StreamProgress } from './holds/stream-progress.ts'
import type { CallLane } from './lanes/call-lane.ts'
import type { Prices, RelayOptions } from './ports.ts'
import { createAttemptLog } from './records/attempt-log.ts'
import { noteStored } from './records/note-answer.ts'
import type { Print, RelayedCallParts } from './relayed-call-parts.ts'
import { boundCall } from './routing/bound-call.ts'
import { settleHedge } from './routing/hedging/settle-hedge.ts'
import { tryChannels } from './routing/try-channels.ts'
import { TargetCalls } from './routing/virtual/target-calls.ts'
import { isSensitive } from './sensitive.ts'
import { withSeals } from './sessions/sealed/sealed-call.ts'
import {
  type AnswerDelivery,
  type AskedCall,
  settleAborted,
  settleAnswered,
  settleUnanswered,
} from './settle-outcome.ts'
import { type Bill, type PaidCall, withHold } from './with-hold.ts'

/** A call over HTTP: chat, embeddings, pictures, sound. */
export class RelayedCall implements PaidCall<HeldCall, Outcome | undefined, AnswerDelivery, CallFailure | undefined> {
  readonly call: RelayCall
  readonly attemptLog = createAttemptLog()
  private readonly client: Client
  /** The client without the wrapper that adds the cost. */
  private readonly plain: Client
  private readonly costStatement: CostStatement | undefined
  private readonly print: Print | undefined
  private readonly parts: RelayedCallParts
  private progress: StreamProgress | undefined
  private attempt: HttpAttempt | undefined
  /** Session of the continued response, where the call names none itself. */
  private session: RelayCall['session']
  /** Set where the model is a virtual one. */
  private readonly targets: TargetCalls | undefined
  /** Set where the call names several models and holds the dearest price of them. */
  private ownPrice: Price | undefined

  constructor(call: RelayCall, client: Client, print: Print | undefined, parts: RelayedCallParts) {
    const { made, costAsked } = call
    this.call = call
    this.plain = made === undefined ? client : new NotingClient(client, (answer) => made(answer, this.attemptLog))
    if (costAsked !== undefined) this.costStatement = new CostStatement(call, this.plain)
    this.client = this.costStatement?.client ?? this.plain
    if (call.route !== undefined) this.targets = new TargetCalls(call.route, parts)
    this.print = print
    this.parts = parts
  }

  hasWord(words: readonly string[]): boolean {
    return isSensitive(this.call, words)
  }

  /** The dearest price at which it may be answered; `priceHere` is the actual one. */
  price(prices: Prices): Price {
    const { call } = this
    const { named } = call
    const own = this.targets?.price(prices, call) ?? call.plan?.price ?? priceFor(prices, call)
    if (named === undefined) return own
    this.ownPrice = own
    return dearestOfNamed(call, own, named, prices)
  }

  /** Price at the current target; `held` is the price of the hold. */
  private priceHere(held: Price): Price {
    return this.targets?.priceHere ?? this.ownPrice ?? held
  }

  hold(price: Price, options: RelayOptions): HeldCall | Promise<HeldCall> {
    const { call, parts, attemptLog } = this
    const { session } = call
    const { sessionLimits } = options
    if (
      session !== undefined &&
      sessionLimits.size > 0 &&
      (sessionLimits.has(call.caller.group) || sessionLimits.has('*'))
    ) {
      attemptLog.session = { id: session.id, state: 'stopped' }
      parts.sessionGuard?.check(call, sessionLimits, options.amounts.quotaPerUnit)
      attemptLog.session = undefined
    }
    return parts.placer.place(call, price, options)
  }

  need(held: HeldCall, price: Price): CallNeed {
    return this.parts.placer.need(this.call, held, price)
  }

  run(held: HeldCall, price: Price, options: RelayOptions): Promise<Outcome | undefined> {
    const { client, attemptLog, parts } = this
    // Text alone contains no encrypted reasoning and names no stored object; recalled thoughts may.
    const isOfTexts = this.call.plain !== undefined && this.call.recalled === undefined
    const call = isOfTexts ? this.call : this.sealedCall()
    const priceHere = (): Price => this.priceHere(price)
    // Until the end it is unknown which of the named models has answered.
    const priceHeld = call.named === undefined ? priceHere : () => price
    if (call.stream)
      this.progress = new StreamProgress({ call, priceHere, priceHeld, attemptLog, held, options }, parts)
    if (this.targets !== undefined) return this.runTargets(this.targets, options)
    if (call.lane !== undefined) return this.runLane(call.lane, options)
    const attempt = new HttpAttempt(call, client, this.progress, options, attemptLog, parts)
    this.attempt = attempt
    if (this.costStatement !== undefined && call.endpoint === 'speech' && call.named === undefined)
      return this.costStatement
        .findSpoken(price, parts.counter, () => attemptLog.upstreamModel)
        .then(() => tryChannels(call, attempt, options, attemptLog, parts))
    if (isOfTexts || call.dialect?.storedResponses === undefined) {
      this.session = call.session
      return tryChannels(call, attempt, options, attemptLog, parts)
    }
    return boundCall(call, parts).then((bound) => {
      this.session = bound.session
      return tryChannels(bound, attempt, options, attemptLog, parts)
    })
  }

  private sealedCall(): RelayCall {
    const { call, parts } = this
    return parts.sealPlaces === undefined ? call : withSeals(call, parts.sealPlaces)
  }

  /** Tries the targets of a virtual model. */
  private async runTargets(targets: TargetCalls, options: RelayOptions): Promise<Outcome | undefined> {
    const { client, attemptLog, parts, progress } = this
    const sealed = this.sealedCall()
    const call = sealed.dialect?.storedResponses === undefined ? sealed : await boundCall(sealed, parts)
    this.session = call.session
    return targets.run(call, attemptLog, (targetCall) => {
      this.attempt?.close()
      const attempt = new HttpAttempt(targetCall, client, progress, options, attemptLog, parts)
      this.attempt = attempt
      return tryChannels(targetCall, attempt, options, attemptLog, parts)
    })
  }

  /** Makes a call that has a deadline. */
  private async runLane(lane: CallLane<RelayCall>, options: RelayOptions): Promise<Outcome | undefined> {
    const { client, attemptLog, parts, progress } = this
    const sealed = this.sealedCall()
    const call = sealed.dialect?.storedResponses === undefined ? sealed : await boundCall(sealed, parts)
    this.session = call.session
    return lane.run(call, client, {
      get hasContent() {
        return attemptLog.firstByteMs !== undefined
      },
      ask: (tried, laneClient, { once }) => {
        this.attempt?.close()
        const attempt = new HttpAttempt(tried, laneClient, progress, options, attemptLog, parts)
        this.attempt = attempt
        return tryChannels(tried, attempt, once ? { ...options, retryTimes: 0 } : options, attemptLog, parts)
      },
    })
  }

  settle(
    outcome: Outcome | undefined,
    held: HeldCall,
    heldPrice: Price,
    options: RelayOptions,
  ): Bill<AnswerDelivery> | Promise<Bill<AnswerDelivery>> {
    const { call, client, attemptLog, costStatement, print, parts } = this
    const price = this.priceHere(heldPrice)
    const asked: AskedCall = { call, client, attemptLog, held, price, options, costStatement, print, parts }
    if (outcome?.kind === 'answered' && !(outcome.withheld && outcome.failure !== undefined))
      return settleAnswered(outcome, asked)
    this.settleHedge()
    if (outcome?.kind !== 'client_gone') return settleUnanswered(outcome, asked)
    return settleAborted(asked, this.attempt?.billsAborted(outcome) === true)
  }

  /**
   * Charges the abandoned hedge request by the expected prompt where no usage was reported. Almost always one channel was asked, and
   * there is nothing to do.
   */
  private settleHedge(): void {
    const { call, attemptLog, parts } = this
    if (attemptLog.hedge !== undefined) settleHedge(undefined, call, attemptLog, parts.costs)
  }

  close(): void {
    this.settleHedge()
    this.attempt?.close()
    this.progress?.release()
  }

  /** Sends the rest; where that fails, the client's connection breaks. */
  deliver({ answer, rest, failure, answerCost }: AnswerDelivery): CallFailure | undefined {
    const { call, client, attemptLog, session, parts } = this
    try {
      const { storedResponses, answeredSessions } = parts
      // A response that its provider stores may be continued by later calls.
      if (answer !== undefined && storedResponses !== undefined && call.dialect?.storedResponses?.isStored(call.body)) {
        const { caller } = call
        noteStored(answer, { caller, session }, attemptLog, { storedResponses, answeredSessions })
      }
    } catch (error) {
      parts.log('stored_response_not_noted', { request_id: call.id, error })
    }
    try {
      if (rest !== undefined) sendAnswer(client, rest)
      else if (answerCost !== undefined) this.costStatement?.addToFailure(answerCost)
    } catch (error) {
      parts.log('charged_answer_unsent', { request_id: call.id, error })
      client.abandon()
    }
    return failure
  }

  fail(failure: CallFailure): CallFailure {
    return failure
  }

  /** Continues with the limit's fallback model, once: a call that has fallen back is then refused by such limits. */
  instead({ fallback }: LimitRefusal): (() => Promise<CallFailure | undefined>) | undefined {
    const { call, plain, print, parts } = this
    if (fallback === undefined || call.fallback !== undefined || call.withModel === undefined) return undefined
    try {
      const other = new RelayedCall(call.withModel(call, fallback), plain, print, parts)
      return () => withHold(other, parts)
    } catch (error) {
      // The caller may not call that model: the limit refuses the call.
      if (error instanceof AppError) return undefined
      throw error
    }
  }
}
