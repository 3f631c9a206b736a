import { routedModel } from '../../../billing/routed-model.ts'
import { InexpressibleError } from '../../../dialects/conversation/gaps/inexpressible.ts'
import { LimitRefusal } from '../../../limits/call-limits.ts'
import { askedModel } from '../../call.ts'
import { servingOfCall } from '../../plan/planned-channels.ts'
import type { RelayChannel, RelayOptions } from '../../ports.ts'
import type { AttemptLog } from '../../records/attempt-log.ts'
import { keyOfSeals } from '../../sessions/sealed/sealed-reasoning.ts'
import { SessionRoute } from '../../sessions/session-route.ts'
import { candidateTable } from '../candidate-tiers.ts'
import type { AttemptResult, ChannelAttempt, SentSide } from '../channel-attempt.ts'
import { type ChannelGate, channelGate } from '../channel-gate.ts'
import { drawFrom, drawsFrom } from '../choice/draws.ts'
import { type HedgePlan, hedgePlan } from '../hedging/hedge-plan.ts'
import { HedgedEntry } from '../hedging/hedged-entry.ts'
import { anotherKeyMayHelp, chooseKey, type TriedKeys } from '../key-choice.ts'
import { choiceFor, nextChannel, rivalChannel } from '../next-channel.ts'
import { mayRetry } from '../retry-table.ts'
import { noteFull } from '../route-trace.ts'
import type { RoutedCall, RoutingParts } from '../routed-call.ts'
import type { UpstreamLimits } from '../upstream-limits.ts'
import { recordAttempt } from './record-attempt.ts'

const noChannels: ReadonlySet<number> = new Set()

export type TryOptions = Pick<
  RelayOptions,
  'retryTimes' | 'strictGroups' | 'channelChoices' | 'avoidsLosses' | 'hedgedGroups'
>

/** A call, its attempts, and their log. */
export interface AttemptContext<Outcome> {
  readonly call: RoutedCall
  readonly attempt: ChannelAttempt<Outcome>
  readonly options: TryOptions
  readonly log: AttemptLog
  readonly parts: RoutingParts
}

/** A tried channel and its result. */
export interface AskedSide<Outcome> {
  readonly side: SentSide<Outcome>
  readonly result: AttemptResult
}

/** Decisions about a call before the loop. */
export interface BegunCall<Outcome> {
  readonly route: SessionRoute | undefined
  /** undefined where nothing was drawn. */
  readonly draw: number | undefined
  /** Random numbers derived from `draw`, where some were used. */
  readonly random?: (() => number) | undefined
  /** A finished attempt. */
  readonly first?: AskedSide<Outcome>
}

/**
 * The only loop over channels and their keys. Makes one attempt after the other until one succeeds, the client disconnects, or no
 * candidate is left. Returns the outcome of the last attempt, undefined if there was none. Passes on errors of `prepare`; throws
 * ChannelsFull if limits of channels ruled out every attempt.
 */
export const askInTurn = async <Outcome>(
  { call, attempt, options, log, parts }: AttemptContext<Outcome>,
  begun?: BegunCall<Outcome>,
): Promise<Outcome | undefined> => {
  const { retryTimes, strictGroups, channelChoices, avoidsLosses } = options
  const { clock, figures } = parts
  const model = routedModel(askedModel(call))
  const first = begun?.first
  const route = begun === undefined ? sessionRoute(call, model, parts) : begun.route
  // One random number decides all random choices of a call, so that its record can be replayed.
  const draw = begun?.draw ?? drawFrom(parts.random)
  const random = begun?.random ?? drawsFrom(draw)
  const choice = choiceFor(call, channelChoices, { ...parts, random })
  const gate = channelGate(call, log.need, parts)
  const deciding = { call, route, choice, avoidsLosses, draw, random, gate }
  const rivalEntry = gate && new HedgedEntry(gate)
  const isStrict = strictGroups.has(call.caller.group)
  let tried = noChannels
  let triedKeys: Set<string> | undefined
  let last: Outcome | undefined
  let unable: InexpressibleError | undefined
  let number = 0
  /** Channel and key to try again. */
  let again = undefined as Pick<SentSide<Outcome>, 'channel' | 'key'> | undefined
  let hasAskedAgain = false

  /** Hedge plan of an attempt at this channel. */
  const planFor = (channel: RelayChannel): HedgePlan | undefined => {
    if (attempt.mayHedge !== true || attempt.sendHedged === undefined) return undefined
    const rules = {
      isFinal: (status: number | undefined) => status === undefined || !mayRetry(status, channel.type),
      accepts: (unsupported: readonly string[]) => unsupported.length === 0 || !isStrict,
      choose: () => {
        const rival = rivalChannel(deciding, new Set(tried).add(channel.id), parts)
        if (rival === undefined) return undefined
        const key = keyFor(call, rival, { ...noRoute, gate }, parts)
        if (rivalEntry?.mayAsk(rival, key) === false) return undefined
        return { channel: rival, key, session: route?.traceOfRival() }
      },
      asked: (rival: RelayChannel) => {
        figures?.begins(rival.id)
        rivalEntry?.asked()
      },
    }
    return hedgePlan({ call, channel }, rules, { options, log }, parts)
  }

  /** True if this attempt is the last; otherwise notes what may not be tried again. */
  const isEnd = (side: SentSide<Outcome>, result: AttemptResult): boolean => {
    const { kind, fault, retryStatus } = result
    if (kind === 'client_gone') return true
    if (kind === 'refused') log.limitEntry?.settle(undefined)
    // A session stays on its channel although another was faster once.
    if (kind !== 'refused' && fault === undefined && side.hedge !== 'second')
      route?.answered(side.channel, side.key, side.endedAt)
    if (result.mayAskAgain === true && !hasAskedAgain && side.hedge === undefined) {
      // The fault was random, or its cause was removed: another channel would be no better.
      hasAskedAgain = true
      again = side
      number -= 1
      return false
    }
    if (retryStatus === undefined || !mayRetry(retryStatus, side.channel.type)) return true
    if (side.channel.ring !== undefined) {
      triedKeys = (triedKeys ?? new Set()).add(side.key)
      if (side.hedge === undefined && anotherKeyMayHelp(side.channel, retryStatus, triedKeys)) return false
    }
    tried = new Set(tried).add(side.channel.id)
    return false
  }

  if (first !== undefined) {
    number = 1
    last = first.side.outcome
    if (isEnd(first.side, first.result)) return last
  }

  while (again !== undefined || number <= retryTimes) {
    const here = again
    again = undefined
    const channel = here?.channel ?? nextChannel(deciding, { tried, number }, log, parts)
    if (channel === undefined) break
    const inexpressible = prepared(attempt, channel)
    if (inexpressible !== undefined) {
      // No request was sent, so the next one is no retry.
      unable ??= inexpressible
      tried = new Set(tried).add(channel.id)
      continue
    }
    log.channelId = channel.id
    log.channel = channel
    if (log.unsupported.length > 0 && isStrict) {
      // Another channel may speak the client's dialect. No request was sent, so the next one is no retry.
      tried = new Set(tried).add(channel.id)
      continue
    }
    const key = here?.key ?? keyFor(call, channel, { triedKeys, route, gate }, parts)
    if (gate !== undefined) {
      const entered = gate.enter(channel, key)
      const entry = entered instanceof Promise ? await entered : entered
      if (entry instanceof LimitRefusal) {
        // No request was sent, so the next one is no retry.
        noteFull(log.route, channel.id)
        triedKeys = (triedKeys ?? new Set()).add(key)
        if (gate.isFull(channel) || !hasOther(channel, triedKeys)) tried = new Set(tried).add(channel.id)
        continue
      }
      log.limitEntry = entry
    }
    number += 1
    const startedAt = clock()
    attempt.fit?.(channel, key)
    log.key = key
    log.session = route?.trace(channel, key, log.attempts.length)
    figures?.begins(channel.id)
    const plan = planFor(channel)
    let side: SentSide<Outcome>
    let result: AttemptResult | undefined
    if (plan === undefined || attempt.sendHedged === undefined) {
      const outcome = await attempt.send(channel, key)
      side = { channel, key, startedAt, endedAt: clock(), outcome, counts: true }
      result = attempt.resultOf(outcome)
      recordAttempt({ call, model, log, parts }, side, result)
    } else {
      const sides = await attempt.sendHedged(channel, key, plan)
      for (const asked of sides) recordAttempt({ call, model, log, parts }, asked, attempt.resultOf(asked.outcome))
      side = sides.find(({ counts }) => counts) ?? never()
      log.limitEntry = rivalEntry?.settle(log.limitEntry, side.hedge === 'second')
      tried = new Set([...tried, ...sides.filter((asked) => asked !== side).map((asked) => asked.channel.id)])
    }
    last = side.outcome
    if (isEnd(side, result ?? attempt.resultOf(last))) return last
  }
  const full = last === undefined ? gate?.refusal : undefined
  if (full !== undefined) throw full
  if (last === undefined && unable !== undefined) throw unable
  return last
}

/** Prepares the channel; returns the error if its provider cannot express the call. */
const prepared = <Outcome>(attempt: ChannelAttempt<Outcome>, channel: RelayChannel): InexpressibleError | undefined => {
  try {
    attempt.prepare(channel)
    return undefined
  } catch (error) {
    if (error instanceof InexpressibleError) return error
    throw error
  }
}

const hasOther = ({ keys }: RelayChannel, tried: TriedKeys): boolean => keys.some((key) => !tried.has(key))

const never = (): never => {
  throw new Error('one of the channels that were asked counts')
}

/** Session route of a call whose prompt a provider may have cached. */
const sessionRoute = (call: RoutedCall, model: string, parts: RoutingParts): SessionRoute | undefined => {
  const { session } = call
  const { sessionPlaces, clock } = parts
  if (session === undefined || sessionPlaces === undefined) return undefined
  if (!session.staysWithChannel && !keepsShortPrompts(call, parts)) return undefined
  return new SessionRoute(session, model, sessionPlaces, clock())
}

/** True if a provider caches short prompts: the operator's engines do, commercial ones cache only long ones. */
const keepsShortPrompts = (call: RoutedCall, { channels }: RoutingParts): boolean =>
  candidateTable(servingOfCall(call, channels.snapshot())).keepsShortPrompts

/** Keys at a limit of the operator or their provider; undefined where none is known, as almost always. */
const fullKeys = (
  call: RoutedCall,
  channel: RelayChannel,
  { gate, upstreamLimits }: Pick<ChoosingKey, 'gate'> & { readonly upstreamLimits: UpstreamLimits | undefined },
  now: number,
): ((seed: number) => boolean) | undefined => {
  const learned = upstreamLimits?.calm === false ? upstreamLimits : undefined
  if (gate === undefined && learned === undefined) return undefined
  const model = routedModel(askedModel(call))
  return (seed) =>
    gate?.keyIsFull(channel, seed) === true || learned?.isUsedUp({ channelId: channel.id, seed, model }, now) === true
}

interface ChoosingKey {
  readonly triedKeys: TriedKeys | undefined
  readonly route: SessionRoute | undefined
  readonly gate: ChannelGate | undefined
}

const noRoute = { triedKeys: undefined, route: undefined } as const

/** Key for an attempt: the bound one, or a chosen one. */
const keyFor = (
  call: RoutedCall,
  channel: RelayChannel,
  { triedKeys, route, gate }: ChoosingKey,
  { random, channels, upstreamLimits, clock }: RoutingParts,
): string => {
  const { place } = call
  if (place?.key !== undefined) return place.key
  if (channel.ring === undefined) return channel.keys[0] ?? ''
  const sealer = keyOfSeals(call.sealed, channel)
  if (sealer !== undefined && triedKeys?.has(sealer) !== true) return sealer
  const lastSeed = route?.seedAt(channel)
  const now = clock()
  const isFull = fullKeys(call, channel, { gate, upstreamLimits }, now)
  const choosing = { random, health: channels.health, isFull, now, lastSeed }
  return chooseKey(channel, call.session, choosing, triedKeys)
}
