import { AppError } from '../../lib/app-error.ts'
import type { RelayCall } from '../call.ts'
import { withHeaderOverride } from '../exchange/header-override.ts'
import { type CallFailure, failureOf } from '../failure.ts'
import type { RelayChannel, RelayOptions } from '../ports.ts'
import type { AttemptLog } from '../record.ts'
import type { AttemptResult, ChannelAttempt } from '../routing/channel-attempt.ts'
import { mappedModel } from '../routing/model-mapping.ts'
import { unanswered } from '../routing/no-channel.ts'
import { tryChannels } from '../routing/try-channels.ts'
import { networkCause, networkFailure } from '../upstream/network-failure.ts'
import { redact } from '../upstream/redact.ts'
import { requestIdOfHead } from '../upstream/request-id.ts'
import { headerText, type SocketEvents, splitUrl, type UpstreamSocket } from '../upstream/upstream.ts'
import { type Refusal, refusalOf } from '../upstream/upstream-failure.ts'
import type { RealtimeClient, RealtimeParts, WebCall } from './ports.ts'
import { isTranscription } from './session-settings.ts'
import { placeCall } from './web-call.ts'

/** A channel that accepted the session. */
export interface Connected {
  readonly kind: 'connected'
  readonly channel: RelayChannel
  readonly key: string
  readonly startedAt: number
  /** The provider's id of the handshake; empty where it names none. */
  readonly requestId: string
  readonly socket: UpstreamSocket
  /** What answers the client's offer, where it made one. */
  readonly webCall?: WebCall
  /** Who gets the events from now on; what came meanwhile is delivered first. */
  attach(listener: Listener): void
}

type Listener = Pick<SocketEvents, 'onMessage' | 'onClose' | 'onError'>
type Outcome =
  | Connected
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly requestId?: string }
  | { readonly kind: 'gone' }

/** A handshake has done nothing yet, so it need not wait as long as an answer may take. */
const longestHandshakeMs = 30_000

/** The client's query, for the model that the channel knows. */
const queryFor = ({ query, body }: RelayCall, model: string, callId: string | undefined): string => {
  if (callId !== undefined) return `?call_id=${callId}`
  const parameters = new URLSearchParams(query)
  parameters.set('model', model)
  if (isTranscription(body)) {
    // Such sessions name their model in an event, and are refused with one in the address.
    parameters.delete('model')
    parameters.set('intent', 'transcription')
  }
  return `?${parameters}`
}

interface Handshake {
  readonly call: RelayCall
  readonly client: RealtimeClient
  readonly channel: RelayChannel
  readonly key: string
  readonly model: string
  readonly options: RelayOptions
  /** The call over WebRTC whose events are followed. */
  readonly callId?: string
}

const addressOf = ({ call, channel, key, model, options, callId }: Handshake, parts: RealtimeParts) => {
  const { passed } = call
  const { provider } = channel
  const providerCall = {
    channel,
    key,
    path: '/v1/realtime',
    query: queryFor(call, model, callId),
    model,
    origin: call.model,
    stream: true,
    passed,
    defaultApiVersion: parts.limits.defaultApiVersion,
    options: options.models,
  }
  const url = provider.url(providerCall).replace(/^http/i, 'ws')
  return {
    ...splitUrl(url),
    headers: withHeaderOverride({ ...provider.headers(providerCall), ...passed }, channel, key),
  }
}

const brokenOutcome = (error: Error, { channel, key }: Pick<Handshake, 'channel' | 'key'>): Outcome => {
  const { code, status } = networkFailure(error, { began: false })
  const cause = redact(networkCause(error), { key, baseUrl: channel.baseUrl })
  const answer = { ...failureOf(new AppError(code)), type: 'upstream_error', cause }
  const { type, message } = answer
  return { kind: 'refused', refusal: { answer, status, failure: { status: 0, type, code, message, cause } } }
}

/** Gives one channel the client's offer, and follows the call. Never rejects. */
const webHandshake = async (
  request: Handshake,
  offer: string,
  startedAt: number,
  parts: RealtimeParts,
): Promise<Outcome> => {
  try {
    const webCall = await placeCall({ ...request, offer }, parts)
    if ('refusal' in webCall) return { kind: 'refused', ...webCall }
    const outcome = await handshake({ ...request, callId: webCall.id }, startedAt, parts)
    if (outcome.kind === 'connected') return { ...outcome, webCall }
    // A call that is not followed would cost nothing.
    webCall.hangUp()
    return outcome
  } catch (error) {
    return brokenOutcome(error instanceof Error ? error : new Error(String(error)), request)
  }
}

/** Asks one channel for a session. Never rejects. */
const handshake = (request: Handshake, startedAt: number, parts: RealtimeParts): Promise<Outcome> =>
  new Promise((resolve) => {
    const { client, channel, key } = request
    const { connect, firstByte } = parts.limits.timeouts
    const early: ((listener: Listener) => void)[] = []
    let listener: Listener | undefined
    const pass = (event: (listener: Listener) => void): void => {
      if (listener === undefined) early.push(event)
      else event(listener)
    }
    const settle = (outcome: Outcome): void => {
      clearTimeout(timer)
      resolve(outcome)
    }
    const fail = (error: Error): void => settle(brokenOutcome(error, request))
    let opened = false
    const events: SocketEvents = {
      onOpen(headers) {
        opened = true
        const attach = (to: Listener): void => {
          listener = to
          for (const event of early.splice(0)) event(to)
        }
        const requestId = requestIdOfHead(headers)
        settle({ kind: 'connected', channel, key, startedAt, requestId, socket, attach })
      },
      onMessage: (message) => pass((to) => to.onMessage(message)),
      onRefused(status, headers, body) {
        const retryAfter = headerText(headers, 'retry-after') || undefined
        // A server that answers a handshake with a success has not understood it.
        const refused = { status: status < 300 ? 502 : status, body, retryAfter, native: true }
        settle({ kind: 'refused', refusal: refusalOf(refused, channel, key), requestId: requestIdOfHead(headers) })
      },
      onClose(code, reason) {
        if (opened) pass((to) => to.onClose(code, reason))
        else fail(new Error(`the WebSocket was closed with ${code}`))
      },
      onError(error) {
        if (opened) pass((to) => to.onError(error))
        else fail(error)
      },
    }
    const { origin, path, headers } = addressOf(request, parts)
    const socket = parts.upstream.connect(
      { origin, path, headers, proxy: channel.proxy, timeouts: { connect } },
      events,
    )
    const timer = setTimeout(
      () => {
        socket.close()
        fail(new Error('the handshake was not answered in time'))
      },
      Math.min(firstByte || longestHandshakeMs, longestHandshakeMs),
    )
    client.whenGone(() => {
      if (opened) return
      socket.close()
      settle({ kind: 'gone' })
    })
  })

/** A session's handshake at one channel after the other. */
class HandshakeAttempt implements ChannelAttempt<Outcome> {
  private readonly call: RelayCall
  private readonly client: RealtimeClient
  private readonly options: RelayOptions
  private readonly log: AttemptLog
  private readonly parts: RealtimeParts

  constructor(call: RelayCall, client: RealtimeClient, options: RelayOptions, log: AttemptLog, parts: RealtimeParts) {
    this.call = call
    this.client = client
    this.options = options
    this.log = log
    this.parts = parts
  }

  prepare(channel: RelayChannel): void {
    this.log.upstreamModel = mappedModel(channel.modelMapping, this.call.model)
  }

  send(channel: RelayChannel, key: string): Promise<Outcome> {
    const { call, client, options, log, parts } = this
    const request = { call, client, channel, key, model: log.upstreamModel, options }
    const { offer } = client
    return offer === undefined
      ? handshake(request, parts.clock(), parts)
      : webHandshake(request, offer, parts.clock(), parts)
  }

  resultOf(outcome: Outcome): AttemptResult {
    if (outcome.kind === 'connected') return { kind: 'open', requestId: outcome.requestId, status: 101, error: '' }
    if (outcome.kind === 'gone') return { kind: 'client_gone', status: 0, error: 'the client has gone' }
    const { requestId = '' } = outcome
    const { failure, status } = outcome.refusal
    return {
      kind: 'refused',
      requestId,
      status: failure.status,
      error: failure.cause,
      fault: failure,
      retryStatus: status,
    }
  }
}

/** Asks channel after channel until one accepts the session or nobody else may. Throws AppError. */
export const connect = async (
  call: RelayCall,
  client: RealtimeClient,
  options: RelayOptions,
  attemptLog: AttemptLog,
  parts: RealtimeParts,
): Promise<Connected | { readonly kind: 'failed'; readonly failure: CallFailure }> => {
  const attempt = new HandshakeAttempt(call, client, options, attemptLog, parts)
  const outcome = await tryChannels(call, attempt, options, attemptLog, parts)
  if (outcome?.kind === 'connected') return outcome
  if (outcome?.kind === 'gone') return { kind: 'failed', failure: failureOf(new AppError('client_gone')) }
  return { kind: 'failed', failure: unanswered(call, outcome?.refusal, attemptLog, parts.channels) }
}
