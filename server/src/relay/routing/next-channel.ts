import { routedModel } from '../../billing/routed-model.ts'
import { askedModel } from '../call.ts'
import { serves } from '../exchange/exchange-for.ts'
import { forcedOfCall, servingOfCall } from '../plan/planned-channels.ts'
import type { RelayChannel, RelayOptions } from '../ports.ts'
import type { AttemptLog } from '../records/attempt-log.ts'
import { keyOfSeals } from '../sessions/sealed/sealed-reasoning.ts'
import type { AgainstChannel, SessionRoute } from '../sessions/session-route.ts'
import { expectedPrompt } from '../usage/expected-tokens.ts'
import { candidateTable, withProviders } from './candidate-tiers.ts'
import { openTo } from './channel-fence.ts'
import type { ChannelGate } from './channel-gate.ts'
import { type ComparedChoice, channelChoice } from './choice/channel-choice.ts'
import { onlySeed } from './key-choice.ts'
import { byChance, chooseChannel } from './plan.ts'
import { noteChoice } from './route-trace.ts'
import type { RoutedCall, RoutingParts } from './routed-call.ts'
import { channelsFor } from './virtual/target-channels.ts'

/** Selection of the call's virtual model or group; undefined for by weight, as almost always. */
export const choiceFor = (
  call: RoutedCall,
  choices: RelayOptions['channelChoices'],
  { figures, costs, random, clock }: RoutingParts,
): ComparedChoice | undefined => {
  const ofModel = call.route?.virtual.choice ?? 'priority'
  const choice = ofModel === 'priority' ? choices.get(call.caller.group) : ofModel
  if (choice === undefined || figures === undefined) return undefined
  const parts = { figures, random, ...(costs === undefined ? {} : { costs }) }
  return channelChoice(choice, routedModel(askedModel(call)), clock(), parts)
}

/** Inputs of the choice of channels for one call. */
export interface Deciding {
  readonly call: RoutedCall
  readonly route: SessionRoute | undefined
  readonly choice: ComparedChoice | undefined
  /** True if channels that cost more than the call pays come last. */
  readonly avoidsLosses: boolean
  readonly draw: number
  readonly random: () => number
  /** Absent where nothing limits channels. */
  readonly gate?: ChannelGate | undefined
}

export interface SoFar {
  readonly tried: ReadonlySet<number>
  /** Number of the attempt, from 0. */
  readonly number: number
}

/** The channel for attempt number `number`, never a tried one; undefined when there is none. */
export const nextChannel = (
  deciding: Deciding,
  { tried, number }: SoFar,
  log: AttemptLog,
  parts: RoutingParts,
): RelayChannel | undefined => {
  const { call, route, choice, draw, random } = deciding
  const { place } = call
  if (place !== undefined) return onlyChoice(openTo(call.caller, place.channel), tried, number)
  const snapshot = parts.channels.snapshot()
  const { forcedChannel } = call.caller
  if (forcedChannel !== undefined) return onlyChoice(forcedOfCall(call, forcedChannel, snapshot), tried, number)
  const model = routedModel(askedModel(call))
  const candidates = servingOf(channelsFor(call.target, servingOfCall(call, snapshot)), call)
  const against = againstOf(candidates, model, deciding, parts)
  const chosen =
    sealerOf(call, candidates, { tried, number }, against) ??
    (route === undefined
      ? chooseChannel(
          candidates,
          tried,
          number,
          choice?.choose ?? byChance(random),
          against && ((channel) => against(channel) !== undefined),
        )
      : route.channel({ candidates, tried, number, against, choice: choice?.choose }))
  if (chosen !== undefined && number === 0 && candidates.length > 1) {
    log.route ??= {}
    noteChoice(log.route, {
      candidates,
      channel: chosen,
      against,
      choice: choice?.name ?? 'priority',
      scoreOf: choice?.scoreOf,
      draw: route === undefined ? draw : undefined,
    })
  }
  const { health } = parts.channels
  if (chosen !== undefined && health !== undefined && !health.calm) health.chosen(chosen.id, model, parts.clock(), call)
  return chosen
}

/** The channel whose account made the call's encrypted reasoning: no other can decrypt it. */
const sealerOf = (
  { sealed }: RoutedCall,
  candidates: readonly RelayChannel[],
  { tried, number }: SoFar,
  against: Against | undefined,
): RelayChannel | undefined => {
  if (sealed?.last === undefined || number > 0) return undefined
  const channel = candidateTable(candidates).byId(sealed.last.channelId)
  if (channel === undefined || tried.has(channel.id) || keyOfSeals(sealed, channel) === undefined) return undefined
  return against?.(channel) === undefined ? channel : undefined
}

/** A hedge channel for a call that runs at one of those in `tried`: the best one without a reason to avoid it. undefined where there is none. */
export const rivalChannel = (
  deciding: Deciding,
  tried: ReadonlySet<number>,
  parts: RoutingParts,
): RelayChannel | undefined => {
  const { call, choice, random } = deciding
  const model = routedModel(askedModel(call))
  const serving = servingOfCall(call, parts.channels.snapshot())
  const candidates = servingOf(channelsFor(call.target, serving), call)
  const against = againstOf(candidates, model, deciding, parts)
  const avoids = against && ((channel: RelayChannel) => against(channel) !== undefined)
  const chosen = chooseChannel(candidates, tried, 0, choice?.choose ?? byChance(random), avoids)
  return chosen === undefined || avoids?.(chosen) === true ? undefined : chosen
}

/** A channel without alternatives, which is tried once. */
const onlyChoice = (
  channel: RelayChannel | undefined,
  tried: ReadonlySet<number>,
  number: number,
): RelayChannel | undefined => (channel === undefined || number > 0 || tried.has(channel.id) ? undefined : channel)

type Against = (channel: RelayChannel) => AgainstChannel | undefined

/** Reasons to avoid channels; undefined where there are none, as almost always. */
const againstOf = (
  candidates: readonly RelayChannel[],
  model: string,
  { call, gate, avoidsLosses }: Deciding,
  parts: RoutingParts,
): Against | undefined => {
  const isTooLong = tooLongFor(candidates, call)
  const isLoss = avoidsLosses ? lossesOf(candidates, call, parts) : undefined
  const { health } = parts.channels
  const isCalm = health === undefined || health.calm
  const hasNothingLeft = withNothingLeft(model, parts)
  if (isCalm && isTooLong === undefined && isLoss === undefined && gate === undefined && hasNothingLeft === undefined)
    return undefined
  const now = parts.clock()
  return (channel) => {
    if (!isCalm && health.avoids(channel.id, model, now, call)) return 'in_trouble'
    if (gate?.isFull(channel) === true) return 'at_limit'
    if (hasNothingLeft?.(channel) === true) return 'nothing_left'
    if (isTooLong?.(channel) === true) return 'too_long'
    return isLoss?.(channel) === true ? 'below_cost' : undefined
  }
}

/** Channels to avoid for a prompt of this length; undefined where none has a limit, as almost always. */
const tooLongFor = (candidates: readonly RelayChannel[], call: RoutedCall): Avoids | undefined => {
  if (!candidateTable(candidates).limitsPrompts) return undefined
  const expected = expectedPrompt(call)
  return ({ maxInputTokens }) => maxInputTokens !== undefined && expected > maxInputTokens
}

/** Channels whose providers have reported all keys exhausted; undefined where there are none, as almost always. */
const withNothingLeft = (model: string, { upstreamLimits, clock }: RoutingParts): Avoids | undefined => {
  if (upstreamLimits === undefined || upstreamLimits.calm) return undefined
  const now = clock()
  return ({ id, ring }) =>
    (ring?.seeds ?? onlySeed).every((seed) => upstreamLimits.isUsedUp({ channelId: id, seed, model }, now))
}

type Avoids = (channel: RelayChannel) => boolean

/** Channels that cost more than the call pays; undefined where that is not compared. */
const lossesOf = (
  candidates: readonly RelayChannel[],
  call: RoutedCall,
  { belowCost }: RoutingParts,
): Avoids | undefined =>
  candidates.length < 2 ? undefined : belowCost?.of(askedModel(call), call.caller.group, call.startedAt)

/** The candidates that serve the call: almost always all of them, without a copy. A task's channels are those that have its model. */
const servingOf = (
  candidates: readonly RelayChannel[],
  { endpoint, dialect, path }: RoutedCall,
): readonly RelayChannel[] => {
  if (endpoint === undefined) return candidates
  const call = { endpoint, dialect, path }
  return withProviders(candidates, (provider) => serves(provider, call))
}
