import { setImmediate } from 'node:timers/promises'
import { cost, receiptOf } from '../../billing/cost.ts'
import { withToolsOf } from '../../billing/named-models/other-prices.ts'
import { costsNothing, type Price } from '../../billing/price.ts'
import { withTurnsOf } from '../../billing/reported/usage-of-turns.ts'
import { routedModel } from '../../billing/routed-model.ts'
import { noUsage, type Usage } from '../../billing/usage.ts'
import type { JsonObject } from '../../dialects/conversation/json.ts'
import { AppError } from '../../lib/app-error.ts'
import { receiptCall } from '../answer-cost/answer-cost.ts'
import type { PlannedCall } from '../call.ts'
import { settledCost, upstreamPriceOf } from '../call-cost.ts'
import type { InspectedAttempt, InspectedCall } from '../captures.ts'
import { plannedPrice, priceFor } from '../exchange/call-price.ts'
import { type CallFailure, failureOf } from '../failure.ts'
import { freeBounds, grantedHold, payerOf, refusedHold } from '../holds/granted-hold.ts'
import { RollingHold } from '../holds/rolling-hold.ts'
import type { PlacedWebCall, RelayOptions } from '../ports.ts'
import { createAttemptLog } from '../records/attempt-log.ts'
import { beginOf, chargeRecord } from '../records/record.ts'
import { withheldAtEnd } from '../stream/early-end.ts'
import type { UpstreamSocket } from '../upstream/upstream.ts'
import { usageLimits } from '../usage/limits.ts'
import type { Bill, PaidCall } from '../with-hold.ts'
import { type Connected, connect } from './connect.ts'
import { inspectedSocket, sessionLine } from './inspected-session.ts'
import { MessageOrder } from './message-order.ts'
import type { ClientSocket, Farewell, RealtimeClient, RealtimeParts, SessionListener, WebCall } from './ports.ts'
import { type Ending, type EventRefusal, RealtimeSession } from './session.ts'
import { SessionAdmission } from './session-admission.ts'
import { SessionCosts } from './session-costs.ts'
import { SessionHolds } from './session-holds.ts'
import type { SessionMeter } from './session-protocol.ts'
import { TrailingThrottle } from './trailing-throttle.ts'

/** Milliseconds between checks of a session's usage, hold and key. */
const progressEveryMs = 1000
/** Milliseconds after which a client that reads nothing counts as gone. */
const mostStalledMs = 60_000

/** The sessions of this process. */
export interface RealtimeSessions {
  readonly running: Set<RealtimeSession>
  /** True when the process ends: no session may begin. */
  leaving: boolean
}

type Outcome =
  | { readonly kind: 'failed'; readonly failure: CallFailure }
  | { readonly kind: 'over'; readonly ending: Ending; readonly price: Price; readonly meter: SessionMeter }

interface Delivery {
  /** Closes the client's socket. */
  readonly code: number
  readonly farewell: Farewell
}

const asOurs = (error: unknown): AppError =>
  error instanceof AppError ? error : new AppError('internal_error', { cause: error })

/** A price per call is due when there was an answer. */
const billable = (usage: Usage, meter: SessionMeter, { perCall }: Price): Usage =>
  perCall !== undefined && !meter.answered ? noUsage : usage

/** A session over a WebSocket, from its handshake to its close. */
export class RealtimeCall implements PaidCall<RollingHold, Outcome, Delivery, CallFailure | undefined> {
  readonly call: PlannedCall
  readonly attemptLog = createAttemptLog()
  private readonly client: RealtimeClient
  private readonly listener: SessionListener
  private readonly sessions: RealtimeSessions
  private readonly parts: RealtimeParts
  private held: RollingHold | undefined
  private amounts: SessionHolds | undefined
  private admission: SessionAdmission | undefined
  /** The client's socket, from the end of the handshake on. */
  private accepted: ClientSocket | undefined
  private closeReason = ''
  /** Set where the session is inspected. */
  private readonly capture: InspectedCall | undefined
  /** True if its sound bypasses the gateway, which follows its events. */
  private isWebCall = false
  /** The first blocked word in an event of the client, which was not forwarded. */
  private blockedWord: string | undefined

  constructor(
    { call, capture }: { readonly call: PlannedCall; readonly capture: InspectedCall | undefined },
    { client, listener }: { readonly client: RealtimeClient; readonly listener: SessionListener },
    sessions: RealtimeSessions,
    parts: RealtimeParts,
  ) {
    this.call = call
    this.capture = capture
    this.client = client
    this.listener = listener
    this.sessions = sessions
    this.parts = parts
  }

  /** Checks settings from before the handshake; each event is checked when it arrives. */
  hasWord(words: readonly string[]): boolean {
    return this.listener.protocol.blockedWordInSettings(this.call.body, words) !== undefined
  }

  price(): Price {
    return plannedPrice(this.call.plan)
  }

  async hold(price: Price, options: RelayOptions): Promise<RollingHold> {
    const { preConsumedTokens, amounts, overdraft } = options
    if (this.sessions.leaving) throw new AppError('shutting_down')
    const { named = [], caller } = this.call
    const { keyHint } = caller
    const prices = [price, ...named.map((model) => priceFor(this.parts.prices, { caller, model }))]
    this.amounts = new SessionHolds(this.call.body, prices, preConsumedTokens)
    const request = { ...payerOf(this.call.caller), amount: this.amounts.first, spare: -overdraft }
    const { holds } = this.parts
    // Use beyond a free price, such as provider tools, needs a balance as usual.
    const bounds = freeBounds(this.amounts.first === 0 && prices.every(costsNothing), options, { spare: -overdraft })
    const hold = grantedHold(await holds.hold({ ...request, ...bounds }), amounts, keyHint)
    this.held = new RollingHold({ holds, request, hold })
    return this.held
  }

  async run(held: RollingHold, price: Price, options: RelayOptions): Promise<Outcome> {
    const { call, client, attemptLog, parts } = this
    const { protocol } = this.listener
    const connected = await connect({ call, client, protocol, options, capture: this.capture }, attemptLog, parts)
    if (connected.kind === 'failed') return connected
    if (client.gone) {
      connected.socket.close(1000)
      connected.webCall?.hangUp()
      return { kind: 'failed', failure: failureOf(new AppError('client_gone')) }
    }
    this.isWebCall = connected.webCall !== undefined
    const meter = protocol.newMeter(call, usageLimits(call, attemptLog.upstreamModel))
    const priced = withToolsOf(price, attemptLog.upstreamModel)
    try {
      if (connected.webCall !== undefined) await this.beginWebCall(connected, connected.webCall, priced)
      const ending = await this.forward(connected, { held, price: priced, meter }, options)
      this.closeReason = ending.close.reason
      return { kind: 'over', ending, price: priced, meter }
    } catch (error) {
      connected.socket.close(1000)
      connected.webCall?.hangUp()
      throw error
    }
  }

  /** Writes the begin record of a call, which continues at the provider if this process ends. Resolves when the journal has it. */
  private async beginWebCall({ key }: Connected, { id }: WebCall, price: Price): Promise<void> {
    this.begin(price, { id, keyHash: this.parts.storedResponses.keyHashOf(key) })
    // The journal is written at the end of this turn of the event loop.
    await setImmediate()
    if (this.client.gone) throw new AppError('client_gone')
  }

  private begin(price: Price, webCall?: PlacedWebCall): void {
    const { call, attemptLog, parts } = this
    const upstreamPrice = upstreamPriceOf(call, attemptLog, parts.costs)
    parts.recorder.begin(beginOf(call, attemptLog, { price, upstreamPrice, webCall }, call.startedAt))
  }

  /** Forwards messages until the session is over. */
  private forward(
    { channel, key, startedAt, socket, capture, attach, webCall }: Connected,
    { held, price, meter }: { readonly held: RollingHold; readonly price: Price; readonly meter: SessionMeter },
    { amounts, onClientGone }: RelayOptions,
  ): Promise<Ending> {
    const { call, client, attemptLog, sessions, parts } = this
    this.openAdmission(held, amounts, () => cost(billable(meter.soFar, meter, price), price))
    return new Promise((resolve) => {
      let begun = webCall !== undefined
      let covering = false
      const cover = async (usage: Usage): Promise<void> => {
        if (covering) return
        covering = true
        try {
          const refused = await held.cover(cost(usage, price))
          if (refused !== undefined) session.stop(refusedHold(refused, amounts), 1008, { end: 'out_of_quota' })
        } catch (error) {
          session.stop(asOurs(error), 1011)
        }
        covering = false
      }
      const checkKey = async (): Promise<void> => {
        try {
          await this.listener.checkKey()
        } catch (error) {
          session.stop(asOurs(error), 1008)
        }
      }
      const pulse = new TrailingThrottle(progressEveryMs, () => {
        if (!begun) this.begin(price)
        begun = true
        parts.recorder.progress(call.id, billable(meter.delivered, meter, price))
        void cover(billable(meter.soFar, meter, price))
        void checkKey()
      })
      const report = parts.channels.report.bind(parts.channels, channel)
      const model = routedModel(call.model)
      const noteFirstMessage = (): void => {
        const tookMs = parts.clock() - startedAt
        attemptLog.firstByteMs = Math.max(0, parts.clock() - call.startedAt)
        report(undefined, key, model, tookMs, tookMs)
      }
      const costs = call.costAsked === undefined || webCall !== undefined ? undefined : this.openCosts(price, meter)
      const order = new MessageOrder()
      const session = new RealtimeSession({
        order,
        upstream: socket,
        meter,
        key,
        times: { idle: parts.limits.timeouts.streamIdle, stalled: mostStalledMs },
        onClientGone,
        refusalOf: (event, message) => this.refusalOf(event, message),
        admitted: (event) => this.admitted(event),
        protocol: this.listener.protocol,
        forClient: (event, message) => {
          const own = this.listener.forClient?.(message, event, { channelId: channel.id, key }) ?? message
          return costs === undefined ? own : costs.stated(event, own)
        },
        outgoing: (event, message) => {
          const out = this.listener.protocol.outgoing(event, message, call, attemptLog.upstreamModel)
          this.capture?.more(sessionLine(message))
          capture?.more(sessionLine(out))
          return out
        },
        progressed({ done }) {
          pulse.touch()
          if (done) void cover(billable(meter.soFar, meter, price))
        },
        over(ending) {
          pulse.stop()
          sessions.running.delete(session)
          const { fault } = ending
          if (attemptLog.firstByteMs === undefined || fault !== undefined) {
            report(fault, key, model, parts.clock() - startedAt, -1)
          }
          resolve(ending)
        },
      })
      const accepted = client.accept(session, webCall)
      this.accepted = this.capture === undefined ? accepted : inspectedSocket(accepted, this.capture)
      session.begin(this.accepted)
      if (webCall === undefined) this.sendFirst(socket, meter, capture)
      sessions.running.add(session)
      attach({
        onMessage(message) {
          if (attemptLog.firstByteMs === undefined) noteFirstMessage()
          order.run(() => session.fromUpstream(message))
        },
        onClose: (code, reason) => order.run(() => session.upstreamClosed(code, reason)),
        onError: (error) => order.run(() => session.upstreamBroke(error)),
      })
      if (sessions.leaving) session.leave('soon')
    })
  }

  private openCosts(price: Price, meter: SessionMeter): SessionCosts {
    const { call, attemptLog, parts, listener } = this
    return new SessionCosts({
      receipt: call.id,
      price,
      model: attemptLog.upstreamModel,
      meter,
      protocol: listener.protocol,
      counter: parts.counter,
      billable: (usage) => billable(usage, meter, price),
    })
  }

  /** Sends the settings of the client secret before the client's first event. */
  private sendFirst(socket: UpstreamSocket, meter: SessionMeter, capture: InspectedAttempt | undefined): void {
    const event = this.listener.protocol.firstEvent(this.call, this.attemptLog.upstreamModel)
    if (event === undefined) return
    meter.fromClient(event)
    const message = JSON.stringify(event)
    capture?.more(sessionLine(message))
    socket.send(message)
  }

  /** Uses the current words, since sessions outlive options. */
  private refusalOf(event: JsonObject, message: string): EventRefusal | undefined {
    const { protocol } = this.listener
    const { upstreamModel } = this.attemptLog
    const error =
      protocol.refusalOf(event, this.call, upstreamModel) ??
      this.listener.refusalOf(event, message, upstreamModel) ??
      this.wordRefusal(event)
    return error === undefined ? undefined : this.refused(error, event)
  }

  private openAdmission(held: RollingHold, style: RelayOptions['amounts'], used: () => number): void {
    const { call, amounts: holds, parts } = this
    if (holds === undefined) return
    const { callLimits: limits } = parts
    const priceOf = (model: string): Price => priceFor(parts.prices, { caller: call.caller, model })
    this.admission = new SessionAdmission({ call, holds, held, style, limits, priceOf, used })
  }

  /** Admits additions of the client like those of an ordinary call, before the provider gets them. */
  private admitted(event: JsonObject): Promise<EventRefusal | undefined> | undefined {
    const { protocol, models } = this.listener
    const answer = this.admission?.admit({ offers: protocol.offersIn(event) ?? [], models })
    return answer?.then((error) => (error === undefined ? undefined : this.refused(error, event)))
  }

  private refused(error: AppError, event: JsonObject): EventRefusal {
    const { protocol, refusedEvent } = this.listener
    return protocol.hasErrorEvents ? { say: refusedEvent(failureOf(error), event) } : { stop: error }
  }

  private wordRefusal(event: JsonObject): AppError | undefined {
    const word = this.listener.protocol.blockedWordIn(event, this.parts.options().sensitiveWords)
    if (word === undefined) return undefined
    this.blockedWord ??= word
    return new AppError('sensitive_words_detected')
  }

  async settle(outcome: Outcome, _: RollingHold, __: Price, { amounts }: RelayOptions): Promise<Bill<Delivery>> {
    if (outcome.kind === 'failed') return { kind: 'fail', failure: outcome.failure }
    const { call, attemptLog, parts } = this
    const { ending, price, meter } = outcome
    const { end, failure, close } = ending
    // The sound of a call over WebRTC may have continued when its events had stopped.
    if (!this.isUnfollowed(ending)) withheldAtEnd(meter, ending)
    const { usage: used, estimated } = await meter.total(attemptLog.upstreamModel, parts.counter)
    const usage = withTurnsOf(billable(used, meter, price), call.model)
    const receipt = receiptOf(usage, price, { estimated })
    if (call.costAsked !== undefined) receipt.call = receiptCall(call, usage)
    const charged = {
      usage,
      receipt,
      price,
      cost: settledCost(
        { usage: used, estimated, inHead: undefined, quotaPerUnit: amounts.quotaPerUnit },
        call,
        attemptLog,
        parts.costs,
      ),
      end,
      cause: failure?.cause,
      blockedWord: this.blockedWord,
      ws: true as const,
    }
    const record = chargeRecord(call, attemptLog, charged, parts.clock())
    this.capture?.recorded(record)
    return {
      kind: 'charge',
      record,
      answer: { code: close.code, farewell: failure === undefined ? {} : this.listener.farewell(failure) },
    }
  }

  private isUnfollowed({ end }: Ending): boolean {
    return this.isWebCall && end === 'upstream_broke'
  }

  close(): void {
    this.held?.release()
    this.admission?.close()
  }

  deliver({ code, farewell }: Delivery): undefined {
    this.closeClient(code, () => farewell)
  }

  /** An accepted client gets the error in its session, any other as the answer to its handshake. */
  fail(failure: CallFailure): CallFailure | undefined {
    if (this.accepted === undefined) return failure
    this.closeClient(1011, () => this.listener.farewell(failure))
    return undefined
  }

  private closeClient(code: number, farewell: () => Farewell): void {
    try {
      const { last, reason = this.closeReason } = farewell()
      this.accepted?.close(code, reason, last)
    } catch (error) {
      this.parts.log('recorded_session_not_closed', { request_id: this.call.id, error })
      this.accepted?.abandon()
    }
  }
}
