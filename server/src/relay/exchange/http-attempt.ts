import { routedModel } from '../../billing/routed-model.ts'
import { askedModel, type Client, type RelayCall } from '../call.ts'
import type { CallFailure } from '../failure.ts'
import type { StreamProgress } from '../holds/stream-progress.ts'
import type { FetchPicture, RelayChannel, RelayOptions, UpstreamFailure } from '../ports.ts'
import type { AttemptLog } from '../records/attempt-log.ts'
import type { AttemptResult, ChannelAttempt, SentSide } from '../routing/channel-attempt.ts'
import type { HedgePlan } from '../routing/hedging/hedge-plan.ts'
import { seedOfKey } from '../routing/key-choice.ts'
import type { RoutingParts } from '../routing/routed-call.ts'
import { refusesSeals, unreadableAt } from '../sessions/sealed/sealed-reasoning.ts'
import type { FirstContentWatch } from '../stream/first-content.ts'
import type { KeepAlive } from '../stream/keep-alive.ts'
import type { Slots } from '../upstream/slots.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { noAnswer } from '../upstream/upstream-failure.ts'
import type { AttemptParts } from './attempt-request.ts'
import type { Exchange, Outcome, RelayLimits } from './exchange.ts'
import { exchangeFor } from './exchange-for.ts'
import { type HedgedSide, sendHedged } from './hedged-attempt.ts'
import { plainExchange } from './plain/plain-way.ts'
import { streamHead } from './printed-answer.ts'
import { attempt } from './transport.ts'

export interface HttpAttemptParts extends RoutingParts {
  readonly upstream: Upstream
  readonly fetchPicture: FetchPicture
  readonly limits: RelayLimits
  readonly forceStreamOption: boolean
  readonly keepAlive: KeepAlive
  readonly firstContentWatch: FirstContentWatch
  readonly slots: Slots
}

const nothing = (): void => {}

const unprepared = (): Error => new Error('an attempt is prepared before it is sent')

const usualComment = ': keep-alive\n\n'

const signOfLife = (client: Client, bytes: string): void => {
  if (client.gone) return
  if (!client.begun) client.head(200, streamHead)
  client.write(bytes)
}

/** Attempts of a call over HTTP at successive channels: chat, embeddings, pictures, sound. `close` it at the end. */
export class HttpAttempt implements ChannelAttempt<Outcome> {
  private readonly call: RelayCall
  private readonly client: Client
  private readonly options: RelayOptions
  private readonly log: AttemptLog
  private readonly parts: HttpAttemptParts
  private readonly progressed: AttemptParts['progressed']
  private readonly unwatch: () => void
  private exchange: Exchange | undefined
  /** True once encrypted reasoning is no longer sent. */
  private withoutSeals = false
  private channel: RelayChannel | undefined
  /** True if a hedge request is possible: only a stream shows when it begins. */
  readonly mayHedge: boolean

  constructor(
    call: RelayCall,
    client: Client,
    progress: StreamProgress | undefined,
    options: RelayOptions,
    log: AttemptLog,
    parts: HttpAttemptParts,
  ) {
    this.call = call
    this.client = client
    this.options = options
    this.log = log
    this.parts = parts
    this.mayHedge = call.stream
    this.progressed =
      progress === undefined ? nothing : (forwarder, bytes, stream) => progress.progressed(forwarder, bytes, stream)
    this.unwatch = call.stream
      ? parts.keepAlive.start(() => signOfLife(client, call.dialect?.keepAlive ?? usualComment))
      : nothing
  }

  /** True if a client that left pays its prompt, because the last channel has received and bills it. */
  billsAborted({ kind, sent }: { readonly kind: 'client_gone'; readonly sent: boolean }): boolean {
    return kind === 'client_gone' && sent && this.channel?.billsAborted === true
  }

  prepare(channel: RelayChannel): void {
    this.prepareFor(channel, this.withoutSeals ? { ...this.call, unreadable: () => true } : this.call)
  }

  /** Removes reasoning that another account has encrypted, before the provider refuses it. */
  fit(channel: RelayChannel, key: string): void {
    const { call } = this
    if (call.sealed === undefined || this.withoutSeals) return
    const seals = unreadableAt(call.sealed, channel, key)
    if (seals.size > 0) this.prepareFor(channel, { ...call, unreadable: (seal) => seals.has(seal) })
  }

  private prepareFor(channel: RelayChannel, call: RelayCall): void {
    const { options, log } = this
    const settings = {
      passThrough: options.passThrough,
      forceStreamOption: this.parts.forceStreamOption,
      models: options.models,
      cacheMarks: options.cacheMarks,
    }
    const exchange = plainExchange(call, channel, settings) ?? exchangeFor(call, channel, settings)
    this.exchange = exchange
    this.channel = channel
    log.upstreamModel = exchange.request.model
    log.effort = exchange.effort
    log.unsupported = exchange.unsupported
  }

  send(channel: RelayChannel, key: string): Promise<Outcome> {
    const { slots } = channel
    const sent =
      slots === undefined
        ? attempt(this.partsOf(channel, key, this.exchange, this.client, nothing))
        : this.askInSlot(channel, key, slots)
    return this.call.sealed === undefined ? sent : sent.then((outcome) => this.withoutRefusedSeals(outcome))
  }

  /** Marks a refusal of encrypted reasoning as repeatable: the next request goes without it. */
  private withoutRefusedSeals(outcome: Outcome): Outcome {
    if (outcome.kind !== 'refused' || this.withoutSeals) return outcome
    if (!refusesSeals(outcome.refusal.failure, this.prepared.request.model)) return outcome
    this.withoutSeals = true
    return { ...outcome, refusal: { ...outcome.refusal, mayAskAgain: true } }
  }

  /** Waits for a slot of a channel with limited concurrency. */
  private async askInSlot(channel: RelayChannel, key: string, size: number): Promise<Outcome> {
    const { limits, slots } = this.parts
    const entered = slots.enter(channel.id, size, channel.firstContentMs ?? limits.timeouts.firstByte)
    let leave = typeof entered === 'function' ? entered : undefined
    if (typeof entered !== 'function') {
      this.client.listen({ drained: nothing, gone: () => entered.leave() })
      leave = await entered.entered
    }
    if (leave === undefined || this.client.gone) {
      leave?.()
      return this.client.gone ? { kind: 'client_gone', sent: false, requestId: '' } : noSlot(channel, key)
    }
    try {
      return await attempt(this.partsOf(channel, key, this.exchange, this.client, nothing))
    } finally {
      leave()
    }
  }

  sendHedged(channel: RelayChannel, key: string, plan: HedgePlan): Promise<readonly SentSide<Outcome>[]> {
    return sendHedged(
      {
        client: this.client,
        log: this.log,
        clock: this.parts.clock,
        sideOf: (asked, usedKey, session) => this.sideOf(asked, usedKey, session),
        use: (side) => this.use(side),
        partsOf: (side, client, speaks) => this.partsOf(side.channel, side.key, side.exchange, client, speaks),
        retryStatusOf: (outcome) => this.resultOf(outcome).retryStatus,
      },
      this.sideOf(channel, key, this.log.session),
      plan,
    )
  }

  private get prepared(): Exchange {
    if (this.exchange === undefined) throw unprepared()
    return this.exchange
  }

  /** Prepares a channel and its fields in the log. */
  private sideOf(channel: RelayChannel, key: string, session: AttemptLog['session']): HedgedSide {
    if (this.channel !== channel) {
      this.prepare(channel)
      this.fit(channel, key)
    }
    const { upstreamModel, effort, unsupported } = this.log
    const logged = { channelId: channel.id, channel, key, upstreamModel, effort, unsupported, session }
    return { channel, key, exchange: this.prepared, logged }
  }

  private use({ channel, exchange, logged }: HedgedSide): void {
    this.channel = channel
    this.exchange = exchange
    Object.assign(this.log, logged)
  }

  private partsOf(
    channel: RelayChannel,
    key: string,
    exchange: Exchange | undefined,
    client: Client,
    speaks: () => void,
  ): AttemptParts {
    if (exchange === undefined) throw unprepared()
    const { call, options, parts } = this
    const { upstreamLimits } = parts
    return {
      call,
      client,
      channel,
      key,
      exchange,
      traceHeaders: call.trace?.attempt(channel, exchange.request.model),
      upstream: parts.upstream,
      fetchPicture: parts.fetchPicture,
      limits: parts.limits,
      firstContentWatch: parts.firstContentWatch,
      holdsOpening: options.retryTimes > 0 || client !== this.client,
      models: options.models,
      answered:
        upstreamLimits &&
        ((headers) => {
          const model = routedModel(askedModel(call))
          upstreamLimits.answered({ channelId: channel.id, seed: seedOfKey(channel, key), model }, headers)
        }),
      clock: parts.clock,
      onClientGone: options.onClientGone,
      answerCheck: options.answerCheck,
      progressed: this.progressed,
      started: () => {
        speaks()
        this.unwatch()
        this.log.firstByteMs = Math.max(0, parts.clock() - call.startedAt)
      },
    }
  }

  resultOf(outcome: Outcome): AttemptResult {
    const { requestId, receipt } = outcome
    if (outcome.kind === 'refused') {
      const { failure, status, mayAskAgain } = outcome.refusal
      const refused = { status: failure.status, error: failure.cause, fault: failure, retryStatus: status, mayAskAgain }
      return { kind: 'refused', requestId, receipt, ...refused }
    }
    if (outcome.kind === 'client_gone')
      return { kind: 'client_gone', requestId, receipt, status: 0, error: 'the client has gone' }
    const { firstByteMs } = this.log
    const firstContentAt = firstByteMs === undefined ? undefined : firstByteMs + this.call.startedAt
    // A stream that broke off is a failure of the channel although its client got something.
    const fault =
      outcome.end === 'upstream_broke' && outcome.failure !== undefined ? faultOf(outcome.failure) : undefined
    const { answerId } = outcome
    const error = fault?.cause ?? ''
    return { kind: 'answered', requestId, answerId, receipt, status: 200, error, fault, firstContentAt }
  }

  /** No comment is sent any more. */
  close(): void {
    this.unwatch()
  }
}

/** Another channel may have a place. */
const noSlot = (channel: RelayChannel, key: string): Outcome => {
  const cause = 'no slot of the channel was free in time'
  const refusal = { ...noAnswer({ code: 'upstream_timeout', cause, status: 0 }, channel, key), status: 503 }
  return { kind: 'refused', refusal, requestId: '' }
}

const faultOf = ({ status, type, code, message, sentence, cause, inAnswer }: CallFailure): UpstreamFailure => ({
  status,
  type,
  code: typeof code === 'string' ? code : '',
  message,
  sentence,
  cause,
  ...(inAnswer ? { inAnswer } : {}),
})
