import { cost, receiptOf } from '../../billing/cost.ts'
import type { Price } from '../../billing/price.ts'
import { reservation } from '../../billing/reserve.ts'
import { routedModel } from '../../billing/routed-model.ts'
import { withToolsOf } from '../../billing/tool-prices.ts'
import { noUsage, type Usage } from '../../billing/usage.ts'
import type { JsonObject } from '../../dialects/conversation/json.ts'
import { AppError } from '../../lib/app-error.ts'
import type { RelayCall } from '../call.ts'
import { callCost, upstreamPriceOf } from '../call-cost.ts'
import { priceFor } from '../exchange/unpriced.ts'
import { type CallFailure, failureOf } from '../failure.ts'
import { grantedHold, refusedHold } from '../holds/granted-hold.ts'
import { RollingHold } from '../holds/rolling-hold.ts'
import type { Prices, RelayOptions } from '../ports.ts'
import { beginOf, chargeRecord, createAttemptLog } from '../record.ts'
import type { UpstreamSocket } from '../upstream/upstream.ts'
import { usageLimits } from '../usage/limits.ts'
import { type Bill, type PaidCall, withHold } from '../with-hold.ts'
import { blockedWordIn } from './blocked-words.ts'
import { type Connected, connect } from './connect.ts'
import { Meter } from './meter.ts'
import type { ClientSocket, Realtime, RealtimeClient, RealtimeParts, SessionListener } from './ports.ts'
import { Pulse } from './pulse.ts'
import { type Ending, Session } from './session.ts'
import { firstUpdate, isTranscription, transcriberIn, withTranscriber } from './session-settings.ts'

/** How often a session's use is written down, and its reservation and its key are looked at. */
const progressEveryMs = 1000
/** A client that takes nothing for so long is gone, though its connection stands. */
const mostStalledMs = 60_000

/** The sessions of this process. */
interface Sessions {
  readonly running: Set<Session>
  /** True when the process ends: none may begin. */
  leaving: boolean
}

type Outcome =
  | { readonly kind: 'failed'; readonly failure: CallFailure }
  | { readonly kind: 'over'; readonly ending: Ending; readonly price: Price; readonly meter: Meter }

interface Delivery {
  /** Closes the client's socket. */
  readonly code: number
  /** The last message. */
  readonly last: string | undefined
}

const asOurs = (error: unknown): AppError =>
  error instanceof AppError ? error : new AppError('internal_error', { cause: error })

/** A price per call is due when there was an answer. */
const billable = (usage: Usage, meter: Meter, { perCall }: Price): Usage =>
  perCall !== undefined && !meter.answered ? noUsage : usage

/** A session over a WebSocket, from its handshake to its close. */
class RealtimeCall implements PaidCall<RollingHold, Outcome, Delivery, CallFailure | undefined> {
  readonly call: RelayCall
  readonly attemptLog = createAttemptLog()
  private readonly client: RealtimeClient
  private readonly listener: SessionListener
  private readonly sessions: Sessions
  private readonly parts: RealtimeParts
  private held: RollingHold | undefined
  /** The client's socket, from the end of the handshake on. */
  private accepted: ClientSocket | undefined
  private closeReason = ''
  /** The first one in an event of the client, which did not go upstream. */
  private blockedWord: string | undefined

  constructor(
    call: RelayCall,
    client: RealtimeClient,
    listener: SessionListener,
    sessions: Sessions,
    parts: RealtimeParts,
  ) {
    this.call = call
    this.client = client
    this.listener = listener
    this.sessions = sessions
    this.parts = parts
  }

  /** Settings may come before the handshake; each event is checked as it comes. */
  hasWord(words: readonly string[]): boolean {
    return blockedWordIn({ type: 'session.update', session: this.call.body }, words) !== undefined
  }

  price(prices: Prices): Price {
    return priceFor(prices, this.call)
  }

  async hold(price: Price, { preConsumedTokens, amounts, overdraft }: RelayOptions): Promise<RollingHold> {
    if (this.sessions.leaving) throw new AppError('shutting_down')
    const { userId, tokenId, tokenUnlimited, keyHint } = this.call.caller
    const amount = reservation({ promptTokens: 0, outputTokens: 0, leastTokens: preConsumedTokens }, price)
    const request = { userId, tokenId, tokenUnlimited, amount, spare: -overdraft }
    const { holds } = this.parts
    const hold = grantedHold(await holds.hold(request), amounts, keyHint)
    this.held = new RollingHold({ holds, request, hold })
    return this.held
  }

  async run(held: RollingHold, price: Price, options: RelayOptions): Promise<Outcome> {
    const { call, client, attemptLog, parts } = this
    const connected = await connect(call, client, options, attemptLog, parts)
    if (connected.kind === 'failed') return connected
    if (client.gone) {
      connected.socket.close(1000)
      connected.webCall?.hangUp()
      return { kind: 'failed', failure: failureOf(new AppError('client_gone')) }
    }
    const meter = new Meter(usageLimits(call, attemptLog.upstreamModel))
    const priced = withToolsOf(price, attemptLog.upstreamModel)
    try {
      const ending = await this.forward(connected, held, priced, options, meter)
      this.closeReason = ending.close.reason
      return { kind: 'over', ending, price: priced, meter }
    } catch (error) {
      connected.socket.close(1000)
      connected.webCall?.hangUp()
      throw error
    }
  }

  /** Forwards messages until the session is over. */
  private forward(
    { channel, key, startedAt, socket, attach, webCall }: Connected,
    held: RollingHold,
    price: Price,
    { amounts, onClientGone }: RelayOptions,
    meter: Meter,
  ): Promise<Ending> {
    const { call, client, attemptLog, sessions, parts } = this
    return new Promise((resolve) => {
      let begun = false
      let covering = false
      const cover = async (usage: Usage): Promise<void> => {
        if (covering) return
        covering = true
        try {
          const refused = await held.cover(cost(usage, price))
          if (refused !== undefined) session.stop(refusedHold(refused, amounts), 1008, 'out_of_quota')
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
      const pulse = new Pulse(progressEveryMs, () => {
        const usage = billable(meter.soFar, meter, price)
        if (!begun) {
          const upstreamPrice = upstreamPriceOf(call, attemptLog, parts.costs)
          parts.recorder.begin(beginOf(call, attemptLog, { price, upstreamPrice }, call.startedAt))
        }
        begun = true
        parts.recorder.progress(call.id, usage)
        void cover(usage)
        void checkKey()
      })
      const report = parts.channels.report.bind(parts.channels, channel)
      const model = routedModel(call.model)
      const noteFirstMessage = (): void => {
        const tookMs = parts.clock() - startedAt
        attemptLog.firstByteMs = Math.max(0, parts.clock() - call.startedAt)
        report(undefined, key, model, tookMs, tookMs)
      }
      const session = new Session({
        upstream: socket,
        meter,
        key,
        times: { idle: parts.limits.timeouts.streamIdle, stalled: mostStalledMs },
        onClientGone,
        refusalOf: (event) => this.refusalOf(event),
        outgoing: (event, message) => this.outgoing(event, message),
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
      this.accepted = client.accept(session, webCall)
      session.begin(this.accepted)
      if (webCall === undefined) this.sendSettings(socket, meter)
      sessions.running.add(session)
      attach({
        onMessage(message) {
          if (attemptLog.firstByteMs === undefined) noteFirstMessage()
          session.fromUpstream(message)
        },
        onClose: (code, reason) => session.upstreamClosed(code, reason),
        onError: (error) => session.upstreamBroke(error),
      })
      if (sessions.leaving) session.leave('soon')
    })
  }

  /** Of a client secret: what the session is to be before its client says anything. */
  private sendSettings(socket: UpstreamSocket, meter: Meter): void {
    const { body, passed } = this.call
    const update = firstUpdate(body, this.attemptLog.upstreamModel, passed['openai-beta'] !== undefined)
    if (update === undefined) return
    meter.fromClient(update)
    socket.send(JSON.stringify(update))
  }

  /** A session of transcripts has the price of one model. */
  private refusedTranscriber(event: JsonObject): AppError | undefined {
    const { body, model, askedName } = this.call
    const asked = isTranscription(body) ? transcriberIn(event) : undefined
    if (asked === undefined || [model, askedName, this.attemptLog.upstreamModel].includes(asked)) return undefined
    return new AppError('invalid_text_request', { params: { detail: `this session transcribes with ${model}` } })
  }

  private outgoing(event: JsonObject, message: string): string {
    const { upstreamModel } = this.attemptLog
    const asked = isTranscription(this.call.body) ? transcriberIn(event) : undefined
    return asked === undefined || asked === upstreamModel
      ? message
      : JSON.stringify(withTranscriber(event, upstreamModel))
  }

  /** The words are those of the moment, since sessions last longer than options. */
  private refusalOf(event: JsonObject): string | undefined {
    const other = this.refusedTranscriber(event)
    if (other !== undefined) return this.listener.printFailure(failureOf(other), event)
    const word = blockedWordIn(event, this.parts.options().sensitiveWords)
    if (word === undefined) return undefined
    this.blockedWord ??= word
    return this.listener.printFailure(failureOf(new AppError('sensitive_words_detected')), event)
  }

  async settle(outcome: Outcome): Promise<Bill<Delivery>> {
    if (outcome.kind === 'failed') return { kind: 'fail', failure: outcome.failure }
    const { call, attemptLog, parts } = this
    const { ending, price, meter } = outcome
    const { end, failure, close } = ending
    const { usage: used, estimated } = await meter.total(attemptLog.upstreamModel, parts.counter)
    const usage = billable(used, meter, price)
    const receipt = receiptOf(usage, price, { estimated })
    const charged = {
      usage,
      receipt,
      price,
      cost: callCost(used, call, attemptLog, parts.costs),
      end,
      cause: failure?.cause,
      blockedWord: this.blockedWord,
      ws: true as const,
    }
    const record = chargeRecord(call, attemptLog, charged, parts.clock())
    return {
      kind: 'charge',
      record,
      answer: { code: close.code, last: failure && this.listener.printFailure(failure) },
    }
  }

  close(): void {
    this.held?.release()
  }

  deliver({ code, last }: Delivery): undefined {
    this.closeClient(code, () => last)
  }

  /** An accepted client gets the error in its session, any other in the answer to its handshake. */
  fail(failure: CallFailure): CallFailure | undefined {
    if (this.accepted === undefined) return failure
    this.closeClient(1011, () => this.listener.printFailure(failure))
    return undefined
  }

  private closeClient(code: number, last: () => string | undefined): void {
    try {
      this.accepted?.close(code, this.closeReason, last())
    } catch (error) {
      this.parts.log('recorded_session_not_closed', { request_id: this.call.id, error })
      this.accepted?.abandon()
    }
  }
}

export const createRealtime = (parts: RealtimeParts): Realtime => {
  const sessions: Sessions = { running: new Set(), leaving: false }
  return {
    answer: (call, client, listener) => withHold(new RealtimeCall(call, client, listener, sessions, parts), parts),
    leave(how) {
      sessions.leaving = true
      for (const session of [...sessions.running]) session.leave(how)
    },
  }
}
