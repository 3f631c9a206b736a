import { ownMember } from '@tollgate/contract/own-member'
import type { ModelOptions, ProviderCall, UnsignedRequest } from '../../providers/provider.ts'
import type { Client, RelayCall } from '../call.ts'
import type { RelayChannel } from '../ports.ts'
import type { AnswerCheck } from '../stream/answer-guard.ts'
import type { FirstContentWatch, StreamPatience } from '../stream/first-content.ts'
import { type Headers, splitUrl, type Upstream, type UpstreamTimeouts } from '../upstream/upstream.ts'
import type { Exchange, Network, RelayLimits, RunningStream, StreamForwarder, WrittenHead } from './exchange.ts'
import { withHeaderOverride } from './header-override.ts'

/** One attempt to make a call, and everything that it needs. */
export interface AttemptParts extends Network {
  readonly call: RelayCall
  readonly client: Client
  readonly channel: RelayChannel
  readonly key: string
  readonly exchange: Exchange
  /** Name the trace to the upstream; undefined for none. */
  readonly traceHeaders?: Readonly<Record<string, string>> | undefined
  readonly upstream: Upstream
  readonly limits: RelayLimits
  /** Absent for a stream that is only probed: it may pause as long as a whole answer. */
  readonly firstContentWatch?: FirstContentWatch
  /** True if another channel may still be asked: the opening of a stream is then held back until its first content. */
  readonly holdsOpening?: boolean
  readonly models: ModelOptions
  /** Called with the headers of an answer, which state the provider's limits; absent where they are not used. */
  readonly answered?: ((headers: Headers) => void) | undefined
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly onClientGone: 'cancel' | 'finish'
  /** undefined where answers are not checked. */
  readonly answerCheck?: AnswerCheck
  /** The first content of a stream is on its way to the client. */
  started(): void
  /** Called with the size in bytes of each chunk of a stream. */
  progressed(forwarder: StreamForwarder, bytes: number, stream: RunningStream): void
}

/** True for reasoning models of the first generations, which get twice the time between chunks. */
const thinksLong = (model: string): boolean => model.startsWith('o1') || model.startsWith('o3')

/** Milliseconds of silence that a stream may have: until its first content as long as a whole answer may take to begin. */
export const patienceFor = (
  model: string,
  { timeouts }: RelayLimits,
  { firstContentMs }: Pick<RelayChannel, 'firstContentMs'>,
): StreamPatience => {
  const { firstByte, streamIdle } = timeouts
  return { firstContent: firstContentMs ?? firstByte, idle: thinksLong(model) ? streamIdle * 2 : streamIdle }
}

/**
 * Milliseconds that unread bytes may pause: as long as they may take to begin, since their content is unknown; the same value for both
 * saves a timer per call.
 */
export const unreadIdle = ({ firstByte, streamIdle }: RelayLimits['timeouts']): number =>
  firstByte > 0 ? Math.max(firstByte, streamIdle) : streamIdle

/** A plain answer may pause as long as it may take to begin; the silence of a watched stream is measured by `FirstContentWatch`. */
export const timeoutsFor = (
  isWatched: boolean,
  { timeouts }: RelayLimits,
  { firstContentMs }: Pick<RelayChannel, 'firstContentMs'>,
): UpstreamTimeouts => {
  const { connect, firstByte, streamIdle } = timeouts
  if (isWatched) return { connect, firstByte: firstContentMs ?? firstByte, idle: 0 }
  return { connect, firstByte, idle: firstByte > 0 ? firstByte : streamIdle }
}

/** The request to the provider before it is signed. */
export const attemptRequest = ({
  call,
  channel,
  key,
  exchange,
  traceHeaders,
  limits,
  models,
}: AttemptParts): UnsignedRequest => {
  const { stream, passed } = call
  const { model, path, query, contentType, accept, body } = exchange.request
  const request: ProviderCall = {
    channel,
    key,
    path,
    query,
    model,
    stream,
    passed,
    defaultApiVersion: limits.defaultApiVersion,
    options: models,
    origin: call.model,
  }
  const { provider } = channel
  const url = provider.url(request)
  const headers = provider.headers(request)
  headers['content-type'] = contentType
  headers.accept = accept ?? (stream ? 'text/event-stream' : 'application/json')
  headers['accept-encoding'] = 'identity'
  if (traceHeaders !== undefined) Object.assign(headers, traceHeaders)
  return { call: request, url, headers: withHeaderOverride(headers, channel, key), body }
}

/** Most stored heads per channel and model, which vary little; the oldest is dropped. */
const mostHeads = 64

/** UTF-16 units of a query, and of each header that a client passes on. Calls with longer ones write a head of their own. */
const longestPart = 1000

/** True if parts of the call that are compared to find its head are too long for that. */
const hasLongParts = ({ query }: Exchange['request'], { passed }: RelayCall): boolean => {
  if (query.length > longestPart) return true
  for (const name in passed) if ((ownMember(passed, name) ?? '').length > longestPart) return true
  return false
}

const samePassed = (one: RelayCall['passed'], other: RelayCall['passed']): boolean => {
  if (one === other) return true
  // Both have their members in the order of the dialect's list, so that the heads have them in one order, too.
  for (const name in one) if (ownMember(one, name) !== ownMember(other, name)) return false
  for (const name in other) if (!Object.hasOwn(one, name)) return false
  return true
}

const writeHead = (parts: AttemptParts): WrittenHead => {
  const { call, channel, key, exchange, limits } = parts
  const { url, headers } = attemptRequest(parts)
  return {
    key,
    stream: call.stream,
    accept: exchange.request.accept,
    query: exchange.request.query,
    passed: call.passed,
    asked: call.model,
    limits,
    url,
    ...splitUrl(url),
    headers: Object.freeze({ ...headers }),
    timeouts: timeoutsFor(false, limits, channel),
    watchedTimeouts: timeoutsFor(true, limits, channel),
  }
}

/**
 * Address and head for a call like earlier ones of this channel and model, stored for the next; undefined for a call with trace headers,
 * a long query or long headers of its dialect.
 */
export const writtenHead = (parts: AttemptParts): WrittenHead | undefined => {
  const { call, key, exchange, traceHeaders, limits } = parts
  const { heads, accept, query } = exchange.request
  if (heads === undefined || traceHeaders !== undefined) return undefined
  const { stream, model, passed } = call
  for (const head of heads)
    if (
      head.stream === stream &&
      head.key === key &&
      head.accept === accept &&
      head.asked === model &&
      head.limits === limits &&
      head.query === query &&
      samePassed(head.passed, passed)
    )
      return head
  if (hasLongParts(exchange.request, call)) return undefined
  if (heads.length >= mostHeads) heads.shift()
  const head = writeHead(parts)
  heads.push(head)
  return head
}
