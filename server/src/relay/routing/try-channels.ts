import { routedModel } from '../../billing/routed-model.ts'
import { InexpressibleError } from '../../dialects/conversation/gaps/inexpressible.ts'
import type { RelayChannel } from '../ports.ts'
import type { AttemptLog } from '../records/attempt-log.ts'
import type { SessionRoute } from '../sessions/session-route.ts'
import { type AttemptContext, askInTurn, type TryOptions } from './attempts/ask-in-turn.ts'
import { fastPath } from './attempts/fast-path.ts'
import { recordAttempt } from './attempts/record-attempt.ts'
import type { ChannelAttempt, SentSide } from './channel-attempt.ts'
import { chooseKey } from './key-choice.ts'
import type { RoutedCall, RoutingParts } from './routed-call.ts'

/**
 * Tries channels until one succeeds, the client disconnects, or no candidate is left. Returns the outcome of the last attempt, undefined
 * if there was none. Passes on errors of `prepare`; throws ChannelsFull if limits of channels ruled out every attempt.
 */
export const tryChannels = async <Outcome>(
  call: RoutedCall,
  attempt: ChannelAttempt<Outcome>,
  options: TryOptions,
  log: AttemptLog,
  parts: RoutingParts,
): Promise<Outcome | undefined> => {
  const context = { call, attempt, options, log, parts }
  const model = routedModel(call.target?.model ?? call.model)
  const place = fastPath(context, model)
  if (place === undefined) return askInTurn(context)
  const { channel, route } = place
  if (!mayAsk(context, channel)) return askInTurn(context, { route, draw: place.draw })
  const { clock, figures } = parts
  const startedAt = clock()
  log.channelId = channel.id
  log.channel = channel
  const key = channel.ring === undefined ? (channel.keys[0] ?? '') : keyAt(context, channel, route, startedAt)
  log.key = key
  log.session = route?.trace(channel, key, log.attempts.length)
  figures?.begins(channel.id)
  const outcome = await attempt.send(channel, key)
  const side: SentSide<Outcome> = { channel, key, startedAt, endedAt: clock(), outcome, counts: true }
  const result = attempt.resultOf(outcome)
  recordAttempt({ call, model, log, parts }, side, result)
  if (result.kind === 'refused' || result.retryStatus !== undefined)
    return askInTurn(context, { route, draw: place.draw, random: place.random, first: { side, result } })
  if (result.kind !== 'client_gone' && result.fault === undefined) route?.answered(channel, key, side.endedAt)
  return outcome
}

/** The key to ask a channel of several with, where none is limited or in trouble. */
const keyAt = <Outcome>(
  { call, parts }: AttemptContext<Outcome>,
  channel: RelayChannel,
  route: SessionRoute | undefined,
  now: number,
): string => {
  const lastSeed = route?.seedAt(channel)
  return chooseKey(channel, call.session, { random: parts.random, health: parts.channels.health, now, lastSeed })
}

/** Makes the channel ready; false where it cannot express the call, or not all of a call that has to arrive whole. */
const mayAsk = <Outcome>({ call, attempt, options, log }: AttemptContext<Outcome>, channel: RelayChannel): boolean => {
  try {
    attempt.prepare(channel)
  } catch (error) {
    if (error instanceof InexpressibleError) return false
    throw error
  }
  return log.unsupported.length === 0 || !options.strictGroups.has(call.caller.group)
}
