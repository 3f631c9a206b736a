import type { Price } from '../billing/price.ts'
import { promptTokens } from '../billing/usage.ts'
import { InexpressibleError } from '../dialects/conversation/gaps/inexpressible.ts'
import { AppError } from '../lib/app-error.ts'
import type { CallNeed, LimitRefusal } from '../limits/call-limits.ts'
import { abortedRecord } from './aborted-call.ts'
import { type AnswerBill, answerBill } from './answer-bill.ts'
import { type AnswerCost, answerCostOf, costHeaders, costPlaceOf, receiptCall } from './answer-cost/answer-cost.ts'
import { CostClient } from './answer-cost/cost-client.ts'
import { spokenCost } from './answer-cost/spoken-cost.ts'
import { endingOf } from './answer-ending.ts'
import type { Client, RelayCall } from './call.ts'
import type { CurrentCaptures } from './captures.ts'
import { NotingClient } from './direct/noting-client.ts'
import { priceFor } from './exchange/call-price.ts'
import type { Answered, Outcome, ProviderAnswer, Used } from './exchange/exchange.ts'
import { HttpAttempt, type HttpAttemptParts } from './exchange/http-attempt.ts'
import { type PrintedAnswer, sendAnswer } from './exchange/printed-answer.ts'
import { type CallFailure, failureOf } from './failure.ts'
import type { HeldCall, HoldPlacer } from './holds/place-hold.ts'
import { StreamProgress } from './holds/stream-progress.ts'
import { plainBill } from './plain-bill.ts'
import type { Holds, Prices, RelayOptions, TokenCounter } from './ports.ts'
import { scopeOf } from './reader.ts'
import { createAttemptLog } from './records/attempt-log.ts'
import { chargeRecord } from './records/record.ts'
import { boundCall } from './routing/bound-call.ts'
import { canAnswerTo } from './routing/channel-fence.ts'
import { ChannelsFull } from './routing/channel-gate.ts'
import { settleHedge } from './routing/hedging/settle-hedge.ts'
import { lacksChannel, unanswered } from './routing/no-channel.ts'
import type { StoredResponses } from './routing/stored-responses.ts'
import { tryChannels } from './routing/try-channels.ts'
import { targetOrder } from './routing/virtual/route-of-call.ts'
import { dearestOf, type PricedTargets, pricedTargets } from './routing/virtual/target-prices.ts'
import { targetsAt, tryTargets } from './routing/virtual/try-targets.ts'
import type { CallRoute, RelayTarget } from './routing/virtual/virtual-model.ts'
import { isSensitive } from './sensitive.ts'
import type { AnsweredSessions } from './sessions/answered-sessions.ts'
import type { CacheMemory } from './sessions/cache-memory.ts'
import type { SealPlaces } from './sessions/sealed/seal-places.ts'
import { withSeals } from './sessions/sealed/sealed-call.ts'
import { placeOfKey } from './sessions/sealed/sealed-reasoning.ts'
import type { SessionGuard } from './sessions/session-guard.ts'
import type { Session } from './sessions/session-of.ts'
import type { FirstContentWatch } from './stream/first-content.ts'
import type { KeepAlive } from './stream/keep-alive.ts'
import type { Slots } from './upstream/slots.ts'
import { countedByEngine, mayCountAtEngine } from './usage/counted-by-engine.ts'
import { expectedPrompt } from './usage/expected-tokens.ts'
import { freeRefusal } from './usage/free-refusal.ts'
import { mayCountOne, withAllAnswers } from './usage/several-answers.ts'
import { usedBy } from './usage/used.ts'
import { type Bill, type PaidCall, type WithHoldParts, withHold } from './with-hold.ts'

export interface RelayParts
  extends Omit<HttpAttemptParts, 'keepAlive' | 'firstContentWatch' | 'slots'>,
    Omit<WithHoldParts, 'channels'> {
  /** Channels of stored responses; absent where none are noted. */
  readonly storedResponses?: StoredResponses
  /** Sessions of responses. */
  readonly answeredSessions?: AnsweredSessions
  /** Accounts that made encrypted reasoning; absent where none are noted. */
  readonly sealPlaces?: SealPlaces
  /** Stops sessions beyond their limits; absent where none has any. */
  readonly sessionGuard?: SessionGuard
  /** Analyses cache misses; absent where that is switched off. */
  readonly cacheMemory?: CacheMemory
  /** Captures of inspected calls; absent where none are possible. */
  readonly captures?: CurrentCaptures
  readonly holds: Holds
  readonly counter: TokenCounter
  /** Milliseconds without a first byte after which a stream's client gets a comment; 0 for never. */
  readonly keepAliveMs: number
}

/** `RelayParts` with what all calls share. */
export interface RelayedCallParts extends RelayParts {
  readonly keepAlive: KeepAlive
  readonly firstContentWatch: FirstContentWatch
  readonly slots: Slots
  readonly placer: HoldPlacer
}

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
  private readonly costClient: CostClient | undefined
  private readonly print: Print | undefined
  private readonly parts: RelayedCallParts
  private progress: StreamProgress | undefined
  private attempt: HttpAttempt | undefined
  /** Session of the continued response, where the call names none itself. */
  private session: Session | undefined
  /** Of a virtual model, in the order in which they are tried. */
  private targets: readonly RelayTarget[] = []
  /** Set where a call has the price of the target that answers. */
  private targetPrices: PricedTargets | undefined
  private target: RelayTarget | undefined
  /** Set where the call names several models and holds the dearest price of them. */
  private ownPrice: Price | undefined

  constructor(call: RelayCall, client: Client, print: Print | undefined, parts: RelayedCallParts) {
    const { made, costAsked } = call
    this.call = call
    this.plain = made === undefined ? client : new NotingClient(client, (answer) => made(answer, this.attemptLog))
    if (costAsked !== undefined) this.costClient = new CostClient(this.plain, costPlaceOf(call), call.id)
    this.client = this.costClient ?? this.plain
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
    if (named === undefined && call.route === undefined) return call.plan?.price ?? priceFor(prices, call)
    const own = this.priceOfModel(prices)
    if (named === undefined) return own
    this.ownPrice = own
    return dearestOf(call, [own, ...named.map((model) => priceFor(prices, { caller: call.caller, model }))])
  }

  private priceOfModel(prices: Prices): Price {
    const { call, parts } = this
    const { route } = call
    if (route === undefined) return priceFor(prices, call)
    this.targets = targetOrder(route, { now: parts.clock(), random: parts.random, hash: call.session?.hash })
    if (this.targets.length === 0) throw lacksChannel(call.caller.group, call.model)
    if (route.virtual.ownPrice) return priceFor(prices, call)
    this.targetPrices = pricedTargets(prices, call, this.targets)
    return dearestOf(call, this.targetPrices.values())
  }

  /** Price at the current target; `held` is the price of the hold. */
  private priceHere(held: Price): Price {
    return (this.target !== undefined && this.targetPrices?.get(this.target)) || (this.ownPrice ?? held)
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
    if (call.route !== undefined) return this.runRoute(call.route, options)
    const attempt = new HttpAttempt(call, client, this.progress, options, attemptLog, parts)
    this.attempt = attempt
    if (this.costClient !== undefined && call.endpoint === 'speech' && call.named === undefined)
      return this.findSpokenCost(this.costClient, price).then(() =>
        tryChannels(call, attempt, options, attemptLog, parts),
      )
    if (isOfTexts || call.dialect?.storedResponses === undefined) {
      this.session = call.session
      return tryChannels(call, attempt, options, attemptLog, parts)
    }
    return boundCall(call, parts).then((bound) => {
      this.session = bound.session
      return tryChannels(bound, attempt, options, attemptLog, parts)
    })
  }

  private async findSpokenCost(client: CostClient, price: Price): Promise<void> {
    const { call, attemptLog, parts } = this
    const found = await spokenCost(call, price, parts.counter)
    // Another upstream model may have another tokenizer.
    client.tellsSpoken(() => (found?.model === attemptLog.upstreamModel ? found.dollars : undefined))
  }

  private sealedCall(): RelayCall {
    const { call, parts } = this
    return parts.sealPlaces === undefined ? call : withSeals(call, parts.sealPlaces)
  }

  /** Tries the targets of a virtual model. A call that continues a stored response goes only to its channel. */
  private async runRoute(route: CallRoute, options: RelayOptions): Promise<Outcome | undefined> {
    const { client, attemptLog, parts, progress } = this
    const sealed = this.sealedCall()
    const call = sealed.dialect?.storedResponses === undefined ? sealed : await boundCall(sealed, parts)
    this.session = call.session
    const priced = this.targets.filter((target) => this.targetPrices?.has(target) ?? true)
    let unasked: ChannelsFull | InexpressibleError | undefined
    const answered = await tryTargets(route, targetsAt(call.place, priced), async (target, later) => {
      this.target = target
      attemptLog.route = { virtual: route.virtual.id, rule: route.rule, target: target.model }
      const passesOnDeclined =
        route.virtual.fallsBackOn.has('content') &&
        later.some(({ model }) => canAnswerTo(call.caller, model, parts.channels.snapshot()))
      const targetCall = { ...call, target, passesOnDeclined }
      this.attempt?.close()
      const attempt = new HttpAttempt(targetCall, client, progress, options, attemptLog, parts)
      this.attempt = attempt
      try {
        const outcome = await tryChannels(targetCall, attempt, options, attemptLog, parts)
        return { outcome, refusal: outcome?.kind === 'refused' ? outcome.refusal : undefined }
      } catch (error) {
        // The next target may have channels with room, or that can express the call.
        if (!(error instanceof ChannelsFull || error instanceof InexpressibleError)) throw error
        unasked ??= error
        return { outcome: undefined, refusal: undefined }
      }
    })
    if (answered === undefined && unasked !== undefined) throw unasked
    return answered
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
    const used =
      freeRefusal(outcome, attemptLog.channel) ?? usedBy(outcome, call, attemptLog.upstreamModel, parts.counter, price)
    const settled = (counted: Used) => this.settleAnswer(outcome, answerBill(billed, counted, price), held, options)
    const all =
      used instanceof Promise
        ? used.then((late) => this.ofAllAnswers(late, outcome, options))
        : this.ofAllAnswers(used, outcome, options)
    return all instanceof Promise ? all.then(settled) : settled(all)
  }

  /**
   * Usage completed by an inference engine: its answers may report one of several choices, and for an interrupted stream it can still
   * count the prompt.
   */
  private ofAllAnswers(used: Used, answered: Answered, { models }: RelayOptions): Used | Promise<Used> {
    const { call, parts } = this
    const { channel, upstreamModel: model } = this.attemptLog
    if (mayCountAtEngine({ call, end: answered.end }, used, channel))
      return countedByEngine(used, { answered, call, channel, model }, { ...parts, models })
    if (!mayCountOne(call, used, channel)) return used
    return withAllAnswers(used, { answered, call, channel, model }, { ...parts, models })
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
    const answerCost = this.costClient && answerCostOf(receipt, call.id, usage)
    if (answerCost !== undefined) receipt.call = receiptCall(call, usage)
    const { failure, end, cause, blockedWord } = endingOf(client, outcome, answerCheck)
    const { answer } = outcome
    if (call.trace !== undefined) call.trace.answered(answer.statedModel?.(false) ?? '', answer.finishReasons?.() ?? [])
    if (answer.seals !== undefined) this.noteSeals(answer.seals())
    attemptLog.unsupported = call.removed === undefined ? answer.unsupported : [...call.removed, ...answer.unsupported]
    if (attemptLog.hedge !== undefined) settleHedge(promptTokens(usage), call, attemptLog, parts.costs)
    const charged = { usage, receipt, price, cost, end, cause, blockedWord, note, free, cache }
    const record = chargeRecord(call, attemptLog, charged, parts.clock())
    const whole = failure === undefined && !client.gone ? answer.print(used) : undefined
    const rest = answerCost && whole ? this.costClient?.finished(whole, answerCost) : whole
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
    if (attemptLog.hedge !== undefined) settleHedge(expectedPrompt(call), call, attemptLog, parts.costs)
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
      else if (answerCost !== undefined) this.addCostToFailure(answerCost)
    } catch (error) {
      parts.log('charged_answer_unsent', { request_id: call.id, error })
      client.abandon()
    }
    return failure
  }

  /** Adds the cost of a partial answer that ended in a failure: before the error event, or in the headers of the error. */
  private addCostToFailure(answerCost: AnswerCost): void {
    if (this.client.begun) this.costClient?.endEarly(answerCost)
    else this.call.costAsked?.headers?.push(...costHeaders(answerCost))
  }

  /** Notes the account that made the answer's encrypted reasoning, which the client returns with its next call. */
  private noteSeals(seals: readonly string[]): void {
    const { attemptLog, parts } = this
    const { channel, key } = attemptLog
    if (seals.length > 0 && channel !== undefined) parts.sealPlaces?.note(seals, placeOfKey(channel, key))
  }

  /** Notes the channel of a response that the provider stores, for later calls that continue it. */
  private noteStored(answer: ProviderAnswer): void {
    const { call, attemptLog, parts } = this
    if (parts.storedResponses === undefined || !call.dialect?.storedResponses?.isStored(call.body)) return
    const id = answer.answerId()
    if (id === undefined) return
    parts.storedResponses.note(id, call.caller, attemptLog)
    for (const itemId of answer.itemIds?.() ?? []) parts.storedResponses.note(itemId, call.caller, attemptLog)
    if (this.session !== undefined) parts.answeredSessions?.note(id, scopeOf(call.caller), this.session)
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
