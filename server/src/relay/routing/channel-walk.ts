import { AppError } from '../../lib/app-error.ts'
import type { RelayCall } from '../call.ts'
import { serves } from '../exchange/conversion.ts'
import { bothTexts, type CallFailure, failureOf } from '../failure.ts'
import type { ChannelSnapshot, Channels, RelayChannel } from '../ports.ts'
import type { Trail } from '../record.ts'
import type { Refusal } from '../upstream/upstream-failure.ts'
import { expectedPrompt } from '../usage/expected-tokens.ts'
import type { KeptAnswers } from './kept-answers.ts'
import { chooseKey, type TriedKeys } from './key-choice.ts'
import { chooseChannel, routedModel } from './plan.ts'

/** What it takes to walk from channel to channel. */
export interface WalkParts {
  readonly channels: Channels
  /** undefined where nothing is remembered. */
  readonly kept?: KeptAnswers
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** In [0, 1). */
  readonly random: () => number
}

/** A channel that could answer may come back. */
export const lacksChannel = (group: string, model: string): AppError =>
  new AppError('no_available_channel', { params: { group, model } })

/** Where no channel has the model it does not exist, and asking again is in vain; elsewhere one may come back. */
export const withoutChannel = (group: string, model: string, snapshot: Pick<ChannelSnapshot, 'knows'>): AppError =>
  snapshot.knows(routedModel(model)) || snapshot.knows(model)
    ? lacksChannel(group, model)
    : new AppError('model_not_found', { params: { model } })

/** Channels that have the model but cannot take such a call are no channels for it. */
export const noChannel = ({ caller, model, path }: RelayCall, parts: WalkParts): CallFailure => {
  const { forcedChannel, group } = caller
  const snapshot = parts.channels.snapshot()
  const isThere = forcedChannel === undefined && snapshot.candidates(group, routedModel(model)).length > 0
  if (isThere) return failureOf(new AppError('endpoint_not_served', { params: { model, path } }))
  return failureOf(withoutChannel(group, model, snapshot))
}

/** A final 429 says that we are busy, whoever is, in OpenAI's dialect; others keep the reason. */
export const lastRefusal = ({ answer }: Refusal, { endpoint }: RelayCall): CallFailure => {
  const keeps = endpoint === 'messages' || endpoint === 'gemini'
  return answer.status === 429 && !keeps ? { ...answer, ...bothTexts(new AppError('upstream_overloaded')) } : answer
}

/** The channel for attempt number `number`, never one that was tried; undefined when there is none. */
export const nextChannel = (
  call: RelayCall,
  tried: ReadonlySet<number>,
  number: number,
  parts: WalkParts,
): RelayChannel | undefined => {
  const snapshot = parts.channels.snapshot()
  const { forcedChannel, group } = call.caller
  if (forcedChannel !== undefined) return number === 0 ? snapshot.byId(forcedChannel) : undefined
  if (call.kept !== undefined) return number === 0 ? snapshot.byId(call.kept.channelId) : undefined
  const model = routedModel(call.model)
  const candidates = servingOf(snapshot.candidates(group, model), call)
  const isTooLong = tooLongFor(candidates, call)
  const { health } = parts.channels
  if (health === undefined || health.calm) return chooseChannel(candidates, tried, number, parts.random, isTooLong)
  const now = parts.clock()
  const avoids = (channel: RelayChannel): boolean =>
    health.avoids(channel.id, model, now) || isTooLong?.(channel) === true
  const chosen = chooseChannel(candidates, tried, number, parts.random, avoids)
  if (chosen !== undefined) health.chosen(chosen.id, model, now)
  return chosen
}

/** Which channels should not get so long a prompt; undefined where none has a limit, as almost always. */
const tooLongFor = (
  candidates: readonly RelayChannel[],
  call: RelayCall,
): ((channel: RelayChannel) => boolean) | undefined => {
  if (candidates.every(({ maxInputTokens }) => maxInputTokens === undefined)) return undefined
  const expected = expectedPrompt(call)
  return ({ maxInputTokens }) => maxInputTokens !== undefined && expected > maxInputTokens
}

/** Almost always all of them; then nothing is copied. */
const servingOf = (candidates: readonly RelayChannel[], call: RelayCall): readonly RelayChannel[] =>
  candidates.every(({ provider }) => serves(provider, call))
    ? candidates
    : candidates.filter(({ provider }) => serves(provider, call))

/** An answer is kept by one account of a provider; other keys of the channel may belong to others. */
const keptKey = ({ kept }: RelayCall, { keys }: RelayChannel, parts: WalkParts): string | undefined =>
  kept && keys.find((key) => parts.kept?.keyHashOf(key) === kept.keyHash)

/** The key to ask a channel with: the one that the call goes on with, or the one that is chosen for it. */
export const keyFor = (
  call: RelayCall,
  channel: RelayChannel,
  tried: TriedKeys | undefined,
  parts: WalkParts,
): string => {
  const kept = keptKey(call, channel, parts)
  if (kept !== undefined) return kept
  if (channel.ring === undefined) return channel.keys[0] ?? ''
  const { random, channels, clock } = parts
  return chooseKey(channel, call, { random, health: channels.health, now: clock() }, tried)
}

/** How it went, for the log. */
export const noteAttempt = (
  trail: Trail,
  channel: RelayChannel,
  went: { readonly startedMs: number; readonly durationMs: number; readonly status: number; readonly error: string },
): void => {
  trail.attempts.push({
    channel: channel.id,
    channel_name: channel.name,
    started_ms: went.startedMs,
    duration_ms: went.durationMs,
    status: went.status,
    error: went.error,
  })
}
