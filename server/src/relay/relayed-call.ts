import type { Price } from '../billing/price.ts'
import { AppError } from '../lib/app-error.ts'
import type { CallNeed, LimitRefusal } from '../limits/call-limits.ts'
import { abortedRecord } from './aborted-call.ts'
import { type AnswerBill, answerBill } from './answer-bill.ts'
import type { AnswerCost } from './answer-cost/answer-cost.ts'
import { CostStatement } from './answer-cost/cost-statement.ts'
import { endingOf } from './answer-ending.ts'
import type { Client, RelayCall } from './call.ts'
import { NotingClient } from './direct/noting-client.ts'
import { priceFor } from './exchange/call-price.ts'
import type { Answered, Outcome, ProviderAnswer, Used } from './exchange/exchange.ts'
import { HttpAttempt } from './exchange/http-attempt.ts'
import { type PrintedAnswer, sendAnswer } from './exchange/printed-answer.ts'
import { type CallFailure, failureOf } from './failure.ts'
import type { HeldCall } from './holds/place-hold.ts'
import { StreamProgress } from './holds/stream-progress.ts'
import { plainBill } from './plain-bill.ts'
import type { Prices, RelayOptions } from './ports.ts'
import { createAttemptLog } from './records/attempt-log.ts'
import { noteSeals, noteStored } from './records/note-answer.ts'
import { chargeRecord } from './records/record.ts'
import type { RelayedCallParts } from './relayed-call-parts.ts'
import { boundCall } from './routing/bound-call.ts'
import { settleHedge } from './routing/hedging/settle-hedge.ts'
import { unanswered } from './routing/no-channel.ts'
import { tryChannels } from './routing/try-channels.ts'
import { TargetCalls } from './routing/virtual/target-calls.ts'
import { dearestOfNamed } from './routing/virtual/target-prices.ts'
import { isSensitive } from './sensitive.ts'
import { withSeals } from './sessions/sealed/sealed-call.ts'
import { usageOfAnswer } from './usage/answer-usage.ts'
import { type Bill, type PaidCall, withHold } from './with-hold.ts'

interface Delivery {
  /** undefined where the client left before the first byte and pays its prompt. */
  readonly answer?: ProviderAnswer
  /** The rest of the answer; undefined where the client gets a failure or has gone. */
  readonly rest?: PrintedAnswer | undefined
  /** Why the answer ended early, as its client reads it. */
  readonly failure: CallFailure | undefined
  /** Cost of the call, where its client requested it. */
  readonly answerCost?: AnswerCost | undefined
}

/** Renders a failure for the client. */
export type Print = (failure: CallFailure) => string

/** A call over HTTP: chat, embeddings, pictures, sound. */
export class RelayedCall implements PaidCall<HeldCall, Outcome | undefined, Delivery, CallFailure | undefined> {
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

  settle(
    outcome: Outcome | undefined,
    held: HeldCall,
    heldPrice: Price,
    options: RelayOptions,
  ): Bill<Delivery> | Promise<Bill<Delivery>> {
    const price = this.priceHere(heldPrice)
    if (outcome?.kind === 'client_gone') return this.settleAborted(outcome, price, options)
    if (outcome === undefined || outcome.kind === 'refused') {
      this.settleHedge()
      const failure = unanswered(this.call, outcome?.refusal, this.attemptLog, this.parts.channels)
      return { kind: 'fail', failure }
    }
    if (outcome.withheld && outcome.failure !== undefined) {
      this.settleHedge()
      return { kind: 'fail', failure: outcome.failure }
    }
    const { call, attemptLog, parts } = this
    const billed = { outcome, call, attemptLog, parts, quotaPerUnit: options.amounts.quotaPerUnit }
    const plain = plainBill(billed, price)
    if (plain !== undefined) return this.settleAnswer(outcome, plain, held, options)
    const used = usageOfAnswer(billed, price, { ...parts, models: options.models })
    const settled = (counted: Used) => this.settleAnswer(outcome, answerBill(billed, counted, price), held, options)
    return used instanceof Promise ? used.then(settled) : settled(used)
  }

  /** The client left before the first byte. */
  private async settleAborted(
    outcome: Extract<Outcome, { kind: 'client_gone' }>,
    price: Price,
    { models }: RelayOptions,
  ): Promise<Bill<Delivery>> {
    const { call, attemptLog, parts } = this
    this.settleHedge()
    const record = this.attempt?.billsAborted(outcome)
      ? await abortedRecord(call, price, attemptLog, { ...parts, models })
      : undefined
    if (record !== undefined) return { kind: 'charge', record, answer: { failure: undefined } }
    return { kind: 'fail', failure: failureOf(new AppError('client_gone')) }
  }

  private settleAnswer(
    outcome: Answered,
    bill: AnswerBill,
    held: HeldCall,
    { answerCheck }: RelayOptions,
  ): Bill<Delivery> {
    const { call, client, attemptLog, parts } = this
    const { used, usage, receipt, price, cost, cache } = bill
    const { note, free } = used
    const answerCost = this.costStatement?.charged(receipt, usage)
    const { failure, end, cause, blockedWord } = endingOf(client, outcome, answerCheck)
    const { answer } = outcome
    if (call.trace !== undefined) call.trace.answered(answer.statedModel?.(false) ?? '', answer.finishReasons?.() ?? [])
    if (answer.seals !== undefined) noteSeals(answer.seals(), attemptLog, parts.sealPlaces)
    attemptLog.unsupported = call.removed === undefined ? answer.unsupported : [...call.removed, ...answer.unsupported]
    if (attemptLog.hedge !== undefined) settleHedge(usage, call, attemptLog, parts.costs)
    const charged = { usage, receipt, price, cost, end, cause, blockedWord, note, free, cache }
    const record = chargeRecord(call, attemptLog, charged, parts.clock())
    const whole = failure === undefined && !client.gone ? answer.print(used) : undefined
    const rest = answerCost && whole ? this.costStatement?.client.finished(whole, answerCost) : whole
    const printed =
      failure === undefined || this.print === undefined ? failure : { ...failure, printed: this.print(failure) }
    parts.placer.learn(call, held, usage)
    call.capture?.recorded(record)
    return { kind: 'charge', record, answer: { answer, rest, failure: printed, answerCost } }
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
  deliver({ answer, rest, failure, answerCost }: Delivery): CallFailure | undefined {
    const { call, client, parts } = this
    try {
      if (answer !== undefined) this.noteStored(answer)
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

  /** Notes the channel of a response that the provider stores, for later calls that continue it. */
  private noteStored(answer: ProviderAnswer): void {
    const { call, attemptLog, parts } = this
    const { storedResponses, answeredSessions } = parts
    if (storedResponses === undefined || !call.dialect?.storedResponses?.isStored(call.body)) return
    noteStored(answer, { caller: call.caller, session: this.session }, attemptLog, {
      storedResponses,
      answeredSessions,
    })
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
