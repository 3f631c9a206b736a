import { AppError } from '../../lib/app-error.ts'
import type { RelayCall } from '../call.ts'
import { headerText } from '../exchange/answer-body.ts'
import { type CallFailure, failureOf } from '../failure.ts'
import type { RelayChannel, RelayOptions } from '../ports.ts'
import type { Trail } from '../record.ts'
import { keyFor, lastRefusal, nextChannel, noChannel, noteAttempt } from '../routing/channel-walk.ts'
import { anotherKeyMayHelp } from '../routing/key-choice.ts'
import { mappedModel } from '../routing/model-mapping.ts'
import { routedModel } from '../routing/plan.ts'
import { mayRetry } from '../routing/retry-table.ts'
import { networkCause, networkFailure } from '../upstream/network-failure.ts'
import { redact } from '../upstream/redact.ts'
import { type SocketEvents, splitUrl, type UpstreamSocket } from '../upstream/upstream.ts'
import { type Refusal, refusalOf } from '../upstream/upstream-failure.ts'
import type { RealtimeClient, RealtimeParts } from './ports.ts'

/** A channel that accepted the session. */
export interface Connected {
  readonly kind: 'connected'
  readonly channel: RelayChannel
  readonly key: string
  readonly startedAt: number
  readonly socket: UpstreamSocket
  /** Who hears the events from now on; what came meanwhile is told first. */
  attach(listener: Listener): void
}

type Listener = Pick<SocketEvents, 'onMessage' | 'onClose' | 'onError'>
type Outcome = Connected | { readonly kind: 'refused'; readonly refusal: Refusal } | { readonly kind: 'gone' }

/** A handshake has done nothing yet, so it need not wait as long as an answer may take. */
const longestHandshakeMs = 30_000

/** The client's query, for the model that the channel knows. */
const queryFor = ({ query }: RelayCall, model: string): string => {
  const parameters = new URLSearchParams(query)
  parameters.set('model', model)
  return `?${parameters}`
}

interface Asked {
  readonly call: RelayCall
  readonly client: RealtimeClient
  readonly channel: RelayChannel
  readonly key: string
  readonly model: string
  readonly options: RelayOptions
}

const addressOf = ({ call, channel, key, model, options }: Asked, parts: RealtimeParts) => {
  const { path, passed } = call
  const { provider } = channel
  const asked = {
    channel,
    key,
    path,
    query: queryFor(call, model),
    model,
    origin: call.model,
    stream: true,
    passed,
    defaultApiVersion: parts.limits.defaultApiVersion,
    options: options.models,
  }
  const url = provider.url(asked).replace(/^http/i, 'ws')
  return { ...splitUrl(url), headers: { ...provider.headers(asked), ...passed } }
}

/** Asks one channel for a session. Never rejects. */
const handshake = (asked: Asked, startedAt: number, parts: RealtimeParts): Promise<Outcome> =>
  new Promise((resolve) => {
    const { client, channel, key } = asked
    const { connect, firstByte } = parts.limits.timeouts
    const early: ((listener: Listener) => void)[] = []
    let listener: Listener | undefined
    const hear = (tell: (listener: Listener) => void): void => {
      if (listener === undefined) early.push(tell)
      else tell(listener)
    }
    const settle = (outcome: Outcome): void => {
      clearTimeout(timer)
      resolve(outcome)
    }
    const fail = (error: Error): void => {
      const { code, status } = networkFailure(error, { began: false })
      const cause = redact(networkCause(error), { key, baseUrl: channel.baseUrl })
      const answer = { ...failureOf(new AppError(code)), type: 'upstream_error', cause }
      const { type, message } = answer
      settle({ kind: 'refused', refusal: { answer, status, failure: { status: 0, type, code, message, cause } } })
    }
    let opened = false
    const events: SocketEvents = {
      onOpen() {
        opened = true
        const attach = (to: Listener): void => {
          listener = to
          for (const tell of early.splice(0)) tell(to)
        }
        settle({ kind: 'connected', channel, key, startedAt, socket, attach })
      },
      onMessage: (message) => hear((to) => to.onMessage(message)),
      onRefused(status, headers, body) {
        const retryAfter = headerText(headers, 'retry-after') || undefined
        // A server that answers a handshake with a success has not understood it.
        const refused = { status: status < 300 ? 502 : status, body, retryAfter, native: true }
        settle({ kind: 'refused', refusal: refusalOf(refused, channel, key) })
      },
      onClose(code, reason) {
        if (opened) hear((to) => to.onClose(code, reason))
        else fail(new Error(`the WebSocket was closed with ${code}`))
      },
      onError(error) {
        if (opened) hear((to) => to.onError(error))
        else fail(error)
      },
    }
    const { origin, path, headers } = addressOf(asked, parts)
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

/** Asks channel after channel until one accepts the session or nobody else may. Throws AppError. */
export const connect = async (
  call: RelayCall,
  client: RealtimeClient,
  options: RelayOptions,
  trail: Trail,
  parts: RealtimeParts,
): Promise<Connected | { readonly kind: 'failed'; readonly failure: CallFailure }> => {
  const tried = new Set<number>()
  const triedKeys = new Set<string>()
  let refusal: Refusal | undefined
  for (let number = 0; number <= options.retryTimes; number += 1) {
    const channel = nextChannel(call, tried, number, parts)
    if (channel === undefined) break
    tried.add(channel.id)
    const model = mappedModel(channel.modelMapping, call.model)
    const key = keyFor(call, channel, triedKeys, parts)
    trail.channelId = channel.id
    trail.upstreamModel = model
    trail.key = key
    const startedAt = parts.clock()
    const outcome = await handshake({ call, client, channel, key, model, options }, startedAt, parts)
    const durationMs = parts.clock() - startedAt
    const went = { startedMs: startedAt - call.startedAt, durationMs }
    if (outcome.kind === 'connected') {
      noteAttempt(trail, channel, { ...went, status: 101, error: '' })
      return outcome
    }
    if (outcome.kind === 'gone') {
      noteAttempt(trail, channel, { ...went, status: 0, error: 'the client has gone' })
      return { kind: 'failed', failure: failureOf(new AppError('client_gone')) }
    }
    refusal = outcome.refusal
    const { failure } = refusal
    noteAttempt(trail, channel, { ...went, status: failure.status, error: failure.cause })
    parts.channels.report(channel, failure, key, routedModel(call.model), durationMs, -1)
    if (!mayRetry(refusal.status, channel.type)) break
    triedKeys.add(key)
    if (channel.ring !== undefined && anotherKeyMayHelp(channel, refusal, triedKeys)) tried.delete(channel.id)
  }
  return { kind: 'failed', failure: refusal === undefined ? noChannel(call, parts) : lastRefusal(refusal, call) }
}
