import type { Attempt } from '@tollgate/contract'
import { routedModel } from '../../billing/routed-model.ts'
import type { ChannelPrices } from '../../billing/upstream/channel-prices.ts'
import { askedModel, type RelayCall } from '../call.ts'
import { serves } from '../exchange/exchange-for.ts'
import type { Channels, RelayChannel, RelayOptions, UpstreamFailure } from '../ports.ts'
import type { AttemptLog } from '../record.ts'
import type { SessionPlaces } from '../sessions/session-places.ts'
import { type AgainstChannel, SessionRoute } from '../sessions/session-route.ts'
import { expectedPrompt } from '../usage/expected-tokens.ts'
import type { BelowCost } from './below-cost.ts'
import { candidateTable, withProviders } from './candidate-tiers.ts'
import { channelChoice } from './choice/channel-choice.ts'
import type { ChannelFigures } from './choice/channel-figures.ts'
import { anotherKeyMayHelp, chooseKey, type TriedKeys } from './key-choice.ts'
import { byChance, chooseChannel, type TierChoice } from './plan.ts'
import { mayRetry } from './retry-table.ts'
import { channelsFor } from './virtual/target-channels.ts'

/** What the choice of a channel and its key depends on, whatever kind of call it is. */
export type RoutedCall = Pick<RelayCall, 'startedAt' | 'caller' | 'model' | 'path' | 'raw' | 'body'> &
  Partial<Pick<RelayCall, 'endpoint' | 'dialect' | 'survey' | 'session' | 'place' | 'target' | 'route'>>

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

export interface RoutingParts {
  readonly channels: Channels
  /** Absent where nothing is known of costs. */
  readonly belowCost?: BelowCost
  /** What is known of channels, and what they cost, for groups and virtual models that do not choose by weight. */
  readonly figures?: ChannelFigures
  readonly costs?: ChannelPrices
  /** Where sessions went last; absent where they are not kept together. */
  readonly sessionPlaces?: SessionPlaces
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** In [0, 1). */
  readonly random: () => number
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
  const choice = choiceFor(call, channelChoices, parts)
  let tried = noChannels
  let triedKeys: Set<string> | undefined
  let last: Outcome | undefined
  let number = 0
  while (number <= retryTimes) {
    const channel = nextChannel({ call, tried, number, route, choice }, parts)
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

/** How the call's virtual model or its group wants channels chosen; undefined for by weight, as almost always. */
const choiceFor = (
  call: RoutedCall,
  choices: RelayOptions['channelChoices'],
  { figures, costs, random, clock }: RoutingParts,
): TierChoice | undefined => {
  const ofModel = call.route?.virtual.choice ?? 'priority'
  const choice = ofModel === 'priority' ? choices.get(call.caller.group) : ofModel
  if (choice === undefined || figures === undefined) return undefined
  const parts = { figures, random, ...(costs === undefined ? {} : { costs }) }
  return channelChoice(choice, routedModel(askedModel(call)), clock(), parts)
}

interface NextChannel {
  readonly call: RoutedCall
  readonly tried: ReadonlySet<number>
  readonly number: number
  readonly route: SessionRoute | undefined
  readonly choice: TierChoice | undefined
}

/** The channel for attempt number `number`, never one that was tried; undefined when there is none. */
const nextChannel = (
  { call, tried, number, route, choice }: NextChannel,
  parts: RoutingParts,
): RelayChannel | undefined => {
  const { place } = call
  if (place !== undefined) return onlyChoice(place.channel, tried, number)
  const snapshot = parts.channels.snapshot()
  const { forcedChannel, group } = call.caller
  if (forcedChannel !== undefined) return onlyChoice(snapshot.byId(forcedChannel), tried, number)
  const model = routedModel(askedModel(call))
  const candidates = servingOf(channelsFor(call.target, snapshot.serving(group, model)), call)
  const against = againstOf(candidates, call, model, parts)
  const chosen =
    route === undefined
      ? chooseChannel(
          candidates,
          tried,
          number,
          choice ?? byChance(parts.random),
          against && ((channel) => against(channel) !== undefined),
        )
      : route.channel({ candidates, tried, number, against, choice })
  const { health } = parts.channels
  if (chosen !== undefined && health !== undefined && !health.calm) health.chosen(chosen.id, model, parts.clock())
  return chosen
}

/** A channel that no other may take the place of is asked once. */
const onlyChoice = (
  channel: RelayChannel | undefined,
  tried: ReadonlySet<number>,
  number: number,
): RelayChannel | undefined => (channel === undefined || number > 0 || tried.has(channel.id) ? undefined : channel)

type Against = (channel: RelayChannel) => AgainstChannel | undefined

/** What speaks against channels; undefined where nothing does, as almost always. */
const againstOf = (
  candidates: readonly RelayChannel[],
  call: RoutedCall,
  model: string,
  parts: RoutingParts,
): Against | undefined => {
  const isTooLong = tooLongFor(candidates, call)
  const isLoss = lossesOf(candidates, call, parts)
  const { health } = parts.channels
  const isCalm = health === undefined || health.calm
  if (isCalm && isTooLong === undefined && isLoss === undefined) return undefined
  const now = parts.clock()
  return (channel) => {
    if (!isCalm && health.avoids(channel.id, model, now)) return 'in_trouble'
    if (isTooLong?.(channel) === true) return 'too_long'
    return isLoss?.(channel) === true ? 'below_cost' : undefined
  }
}

/** Which channels should not get so long a prompt; undefined where none has a limit, as almost always. */
const tooLongFor = (candidates: readonly RelayChannel[], call: RoutedCall): Avoids | undefined => {
  if (!candidateTable(candidates).limitsPrompts) return undefined
  const expected = expectedPrompt(call)
  return ({ maxInputTokens }) => maxInputTokens !== undefined && expected > maxInputTokens
}

type Avoids = (channel: RelayChannel) => boolean

/** Which channels take more than the call pays; undefined where nothing depends on it. */
const lossesOf = (
  candidates: readonly RelayChannel[],
  call: RoutedCall,
  { belowCost }: RoutingParts,
): Avoids | undefined =>
  candidates.length < 2 ? undefined : belowCost?.of(askedModel(call), call.caller.group, call.startedAt)

/** Almost always all of them; then nothing is copied. A task's channels are those that have its model. */
const servingOf = (
  candidates: readonly RelayChannel[],
  { endpoint, dialect, path }: RoutedCall,
): readonly RelayChannel[] => {
  if (endpoint === undefined) return candidates
  const call = { endpoint, dialect, path }
  return withProviders(candidates, (provider) => serves(provider, call))
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
