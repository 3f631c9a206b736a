import type { Attempt } from '@tollgate/contract'
import { routedModel } from '../../billing/routed-model.ts'
import { askedModel } from '../call.ts'
import type { RelayChannel, RelayOptions, UpstreamFailure } from '../ports.ts'
import type { AttemptLog } from '../record.ts'
import { SessionRoute } from '../sessions/session-route.ts'
import { drawFrom, drawsFrom } from './choice/draws.ts'
import { anotherKeyMayHelp, chooseKey, type TriedKeys } from './key-choice.ts'
import { choiceFor, nextChannel } from './next-channel.ts'
import { mayRetry } from './retry-table.ts'
import type { RoutedCall, RoutingParts } from './routed-call.ts'

/** How one attempt went. */
export interface AttemptResult {
  /** `open` answered, but is not over: whoever holds it reports to the channel when it is. */
  readonly kind: 'answered' | 'open' | 'refused' | 'client_gone'
  /** For the log: the upstream's status after the channel's mapping, 0 for none. */
  readonly status: number
  /** The provider's own id of the request; empty or absent where it named none. */
  readonly requestId?: string
  /** For the operator; empty where nothing went wrong. */
  readonly error: string
  /** What the channel is to blame for. */
  readonly fault?: UpstreamFailure | undefined
  /** Milliseconds since 1970 when the first content of a stream came; absent where nothing was streamed. */
  readonly firstContentAt?: number | undefined
  /** Of a refused attempt: the status that the retry table reads; absent where no other channel may be asked. */
  readonly retryStatus?: number
}

/** One kind of call at one channel after the other: HTTP, a WebSocket's handshake, a task's submission. */
export interface ChannelAttempt<Outcome> {
  /**
   * Writes the request as this channel takes it, and notes its model and the fields of the client that it cannot express.
   * Throws AppError for faults of our own, such as a circular model mapping.
   */
  prepare(channel: RelayChannel): void
  /** Sends it. Never rejects. */
  send(channel: RelayChannel, key: string): Promise<Outcome>
  resultOf(outcome: Outcome): AttemptResult
}

const noChannels: ReadonlySet<number> = new Set()

/**
 * The only loop over channels and their keys. Asks one after the other until one answers, the client leaves, or nobody else
 * may be asked; the last outcome comes back, undefined where nobody was asked. Throws what `prepare` throws.
 */
export const tryChannels = async <Outcome>(
  call: RoutedCall,
  attempt: ChannelAttempt<Outcome>,
  { retryTimes, strictGroups, channelChoices }: Pick<RelayOptions, 'retryTimes' | 'strictGroups' | 'channelChoices'>,
  log: AttemptLog,
  parts: RoutingParts,
): Promise<Outcome | undefined> => {
  const { channels, clock, figures } = parts
  const route = sessionRoute(call, parts)
  // What a call draws once decides all its choices by chance, so that its record can be replayed.
  const draw = drawFrom(parts.random)
  const random = drawsFrom(draw)
  const choice = choiceFor(call, channelChoices, { ...parts, random })
  const deciding = { call, route, choice, draw, random }
  let tried = noChannels
  let triedKeys: Set<string> | undefined
  let last: Outcome | undefined
  let number = 0
  while (number <= retryTimes) {
    const channel = nextChannel(deciding, { tried, number }, log, parts)
    if (channel === undefined) break
    attempt.prepare(channel)
    log.channelId = channel.id
    log.channel = channel
    if (log.unsupported.length > 0 && strictGroups.has(call.caller.group)) {
      // Another channel may speak the client's dialect. This one was not asked, so the next one is no retry.
      tried = new Set(tried).add(channel.id)
      continue
    }
    number += 1
    const startedAt = clock()
    const key = keyFor(call, channel, triedKeys, route, parts)
    log.key = key
    log.session = route?.trace(channel, key, log.attempts.length)
    figures?.begins(channel.id)
    last = await attempt.send(channel, key)
    figures?.ends(channel.id)
    const endedAt = clock()
    const { kind, status, error, fault, firstContentAt, retryStatus, requestId } = attempt.resultOf(last)
    const made: Attempt = {
      channel: channel.id,
      channel_name: channel.name,
      started_ms: startedAt - call.startedAt,
      duration_ms: endedAt - startedAt,
      status,
      error,
    }
    if (requestId) made.request_id = requestId
    log.attempts.push(made)
    if (kind === 'client_gone') return last
    const firstContentMs = firstContentAt === undefined ? -1 : firstContentAt - startedAt
    if (kind !== 'refused' && fault === undefined) {
      route?.answered(channel, key, endedAt)
      const answeredIn = firstContentMs < 0 ? endedAt - startedAt : firstContentMs
      figures?.answered(channel.id, routedModel(askedModel(call)), answeredIn, endedAt)
    }
    if (kind !== 'open')
      channels.report(channel, fault, key, routedModel(askedModel(call)), endedAt - startedAt, firstContentMs)
    if (retryStatus === undefined || !mayRetry(retryStatus, channel.type)) return last
    if (channel.ring !== undefined) {
      triedKeys = (triedKeys ?? new Set()).add(key)
      if (anotherKeyMayHelp(channel, retryStatus, triedKeys)) continue
    }
    tried = new Set(tried).add(channel.id)
  }
  return last
}

/** Of a call that belongs to a session whose beginning a provider may have kept. */
const sessionRoute = (call: RoutedCall, { sessionPlaces, clock }: RoutingParts): SessionRoute | undefined => {
  const { session } = call
  return session === undefined || sessionPlaces === undefined || !session.staysWithChannel
    ? undefined
    : new SessionRoute(session, routedModel(askedModel(call)), sessionPlaces, clock())
}

/** The key to ask a channel with: the one that the call is bound to, or the one that is chosen for it. */
const keyFor = (
  call: RoutedCall,
  channel: RelayChannel,
  tried: TriedKeys | undefined,
  route: SessionRoute | undefined,
  { random, channels, clock }: RoutingParts,
): string => {
  const { place } = call
  if (place?.key !== undefined) return place.key
  if (channel.ring === undefined) return channel.keys[0] ?? ''
  const lastSeed = route?.seedAt(channel)
  return chooseKey(channel, call.session, { random, health: channels.health, now: clock(), lastSeed }, tried)
}
