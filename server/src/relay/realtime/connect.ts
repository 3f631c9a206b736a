import { AppError } from '../../lib/app-error.ts'
import type { PlannedCall } from '../call.ts'
import type { InspectedAttempt, InspectedCall } from '../captures.ts'
import { withHeaderOverride } from '../exchange/header-override.ts'
import { type CallFailure, failureOf } from '../failure.ts'
import type { RelayChannel, RelayOptions } from '../ports.ts'
import type { AttemptLog } from '../records/attempt-log.ts'
import type { AttemptResult, ChannelAttempt } from '../routing/channel-attempt.ts'
import { mappedModel } from '../routing/model-mapping.ts'
import { unanswered } from '../routing/no-channel.ts'
import { tryChannels } from '../routing/try-channels.ts'
import { signingTools } from '../upstream/fetch-json.ts'
import { networkCause, networkFailure } from '../upstream/network-failure.ts'
import { redact } from '../upstream/redact.ts'
import { requestIdOfHead } from '../upstream/request-id.ts'
import { headerText, type SocketEvents, splitUrl, type UpstreamSocket } from '../upstream/upstream.ts'
import { noAnswer, type Refusal, refusalOf } from '../upstream/upstream-failure.ts'
import { sessionLine } from './inspected-session.ts'
import type { RealtimeClient, RealtimeParts, WebCall } from './ports.ts'
import type { SessionProtocol } from './session-protocol.ts'
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
  /** Set where the session is inspected. */
  readonly capture: InspectedAttempt | undefined
  /** The call that answers the client's WebRTC offer, where it made one. */
  readonly webCall?: WebCall
  /** Sets the receiver of events; buffered ones are delivered first. */
  attach(listener: Listener): void
}

interface Address {
  readonly origin: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly setup: string | undefined
}

type Listener = Pick<SocketEvents, 'onMessage' | 'onClose' | 'onError'>
type Outcome =
  | Connected
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly requestId?: string }
  | { readonly kind: 'gone' }

const noBody = Buffer.alloc(0)

/** Milliseconds. A handshake need not wait as long as an answer may take. */
const longestHandshakeMs = 30_000

/** Parameters of a session to open. */
export interface WantedSession {
  readonly call: PlannedCall
  readonly client: RealtimeClient
  readonly protocol: SessionProtocol
  readonly options: RelayOptions
  readonly capture: InspectedCall | undefined
}

interface Handshake extends WantedSession {
  readonly channel: RelayChannel
  readonly key: string
  readonly model: string
  /** The call over WebRTC whose events are followed. */
  readonly callId?: string
}

/** Address of the session with the gateway's credentials. Throws when the channel's key is unusable. */
const addressOf = async (
  { call, channel, key, model, options, protocol, callId }: Handshake,
  parts: RealtimeParts,
): Promise<Address> => {
  const { passed, path, query } = call
  const { provider } = channel
  const defaultApiVersion = parts.limits.defaultApiVersion
  const providerCall = {
    channel,
    key,
    path,
    query,
    model,
    origin: call.model,
    stream: true,
    passed,
    defaultApiVersion,
    options: options.models,
  }
  const opening = protocol.opening({ call, channel, providerCall, callId })
  const { setup } = opening
  const headers = withHeaderOverride({ ...provider.headers(opening.call), ...passed }, channel, key)
  const request = { call: opening.call, url: opening.url, headers, body: noBody }
  const tools = signingTools({ ...parts, channel })
  const signed = setup === undefined ? undefined : await provider.sign?.(request, tools)
  const { url, headers: sent } = signed ?? request
  return { ...splitUrl(url.replace(/^http/i, 'ws')), headers: sent, setup }
}

const brokenOutcome = (error: Error, { channel, key }: Pick<Handshake, 'channel' | 'key'>): Outcome => {
  const { code, status } = networkFailure(error, { began: false })
  const cause = redact(networkCause(error), { key, baseUrl: channel.baseUrl })
  const answer = { ...failureOf(new AppError(code)), type: 'upstream_error', cause }
  const { type, message } = answer
  return { kind: 'refused', refusal: { answer, status, failure: { status: 0, type, code, message, cause } } }
}

/** Sends the client's offer to one channel, and follows the call. Never rejects. */
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
    // A call that is not followed could not be charged.
    webCall.hangUp()
    return outcome
  } catch (error) {
    return brokenOutcome(error instanceof Error ? error : new Error(String(error)), request)
  }
}

/** Asks one channel for a session. Never rejects. */
const handshake = async (request: Handshake, startedAt: number, parts: RealtimeParts): Promise<Outcome> => {
  try {
    return await shakeHands(request, await addressOf(request, parts), startedAt, parts)
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    const unusable = { code: 'credentials_failed', cause: `signing: ${cause}`, status: 0 } as const
    return { kind: 'refused', refusal: noAnswer(unusable, request.channel, request.key) }
  }
}

const shakeHands = (
  request: Handshake,
  { origin, path, headers, setup }: Address,
  startedAt: number,
  parts: RealtimeParts,
): Promise<Outcome> =>
  new Promise((resolve) => {
    const { client, channel, key, protocol } = request
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
    const capture = request.capture?.sent({
      channel,
      key,
      url: `${origin}${path}`,
      headers,
      body: noBody,
      unsupported: [],
    })
    let requestId = ''
    let begun = false
    const begin = (): void => {
      if (begun) return
      begun = true
      const attach = (to: Listener): void => {
        listener = to
        for (const event of early.splice(0)) event(to)
      }
      settle({ kind: 'connected', channel, key, startedAt, requestId, socket, capture, attach })
    }
    const events: SocketEvents = {
      onOpen(answered) {
        requestId = requestIdOfHead(answered)
        capture?.head(101, answered)
        if (setup === undefined) begin()
        else {
          capture?.more(sessionLine(setup))
          socket.send(setup)
        }
      },
      onMessage(message) {
        capture?.data(Buffer.from(sessionLine(message)))
        pass((to) => to.onMessage(message))
        begin()
      },
      onRefused(status, answered, body) {
        capture?.head(status, answered)
        capture?.data(body)
        const retryAfter = headerText(answered, 'retry-after') || undefined
        // A server that answers a handshake with a success has not understood it.
        const refused = { status: status < 300 ? 502 : status, body, retryAfter, native: true }
        settle({ kind: 'refused', refusal: refusalOf(refused, channel, key), requestId: requestIdOfHead(answered) })
      },
      onClose(code, reason) {
        if (begun) return pass((to) => to.onClose(code, reason))
        const refusal = protocol.refusalIn(code, reason)
        if (refusal === undefined) return fail(new Error(`the WebSocket was closed with ${code}`))
        const { status, message } = refusal
        const body = Buffer.from(JSON.stringify({ error: { message, code: status } }))
        const refused = { status, body, retryAfter: undefined, native: true }
        settle({ kind: 'refused', refusal: refusalOf(refused, channel, key), requestId })
      },
      onError(error) {
        if (begun) pass((to) => to.onError(error))
        else fail(error)
      },
    }
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
      if (begun) return
      socket.close()
      settle({ kind: 'gone' })
    })
  })

/** A session's handshake at one channel after the other. */
class HandshakeAttempt implements ChannelAttempt<Outcome> {
  private readonly wanted: WantedSession
  private readonly log: AttemptLog
  private readonly parts: RealtimeParts

  constructor(wanted: WantedSession, log: AttemptLog, parts: RealtimeParts) {
    this.wanted = wanted
    this.log = log
    this.parts = parts
  }

  prepare(channel: RelayChannel): void {
    this.log.upstreamModel = mappedModel(channel.modelMapping, this.wanted.call.model)
  }

  send(channel: RelayChannel, key: string): Promise<Outcome> {
    const { wanted, log, parts } = this
    const request = { ...wanted, channel, key, model: log.upstreamModel }
    const { offer } = wanted.client
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

/** Tries channels until one accepts the session or no other may be tried. Throws AppError. */
export const connect = async (
  wanted: WantedSession,
  attemptLog: AttemptLog,
  parts: RealtimeParts,
): Promise<Connected | { readonly kind: 'failed'; readonly failure: CallFailure }> => {
  const { call, options } = wanted
  const attempt = new HandshakeAttempt(wanted, attemptLog, parts)
  const outcome = await tryChannels(call, attempt, options, attemptLog, parts)
  if (outcome?.kind === 'connected') return outcome
  if (outcome?.kind === 'gone') return { kind: 'failed', failure: failureOf(new AppError('client_gone')) }
  return { kind: 'failed', failure: unanswered(call, outcome?.refusal, attemptLog, parts.channels) }
}
