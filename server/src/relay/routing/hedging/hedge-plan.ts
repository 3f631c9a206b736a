import { routedModel } from '../../../billing/routed-model.ts'
import { noUsage } from '../../../billing/usage.ts'
import { askedModel } from '../../call.ts'
import { callCost } from '../../call-cost.ts'
import type { RelayChannel, RelayOptions } from '../../ports.ts'
import type { AttemptLog } from '../../records/attempt-log.ts'
import type { SessionTrace } from '../../sessions/session-route.ts'
import { expectedPrompt } from '../../usage/expected-tokens.ts'
import type { RoutedCall, RoutingParts } from '../routed-call.ts'
import type { HedgeShare } from './hedge-budget.ts'

/** A second channel for a stream that does not begin. */
export interface Rival {
  readonly channel: RelayChannel
  readonly key: string
  /** What the log says of the call's session if this one answers. */
  readonly session: SessionTrace | undefined
  /** What it takes of the budget for second attempts. */
  readonly share: HedgeShare
  /** So many quota units at most. */
  readonly expected: number
}

export interface HedgePlan {
  /** Milliseconds without content after which the second channel is asked. */
  readonly afterMs: number
  /** The second channel; undefined where there is none, or its cost is beyond the budget. */
  rival(): Rival | undefined
  /** The second channel is being asked. */
  asked(channel: RelayChannel): void
  /** True if the second channel may answer, which cannot express these fields of the request. */
  accepts(unsupported: readonly string[]): boolean
  /** True if a refusal of the first channel is the answer, whatever the second one says. */
  isFinal(retryStatus: number | undefined): boolean
}

/** Streams that begin within this are not slow, whatever is usual. */
const leastWaitMs = 10

export interface HedgeChoice {
  /** The second channel and its key. */
  choose(): Omit<Rival, 'share' | 'expected'> | undefined
  asked: HedgePlan['asked']
  isFinal: HedgePlan['isFinal']
  accepts: HedgePlan['accepts']
}

const isWanted = ({ route, caller }: RoutedCall, { hedgedGroups }: Pick<RelayOptions, 'hedgedGroups'>): boolean =>
  route?.virtual.hedge === true || hedgedGroups.has(caller.group)

/** Quota units of a prompt at a channel, about; infinite where nobody knows, so that no budget has room for it. */
const promptCost = (call: RoutedCall, channel: RelayChannel, log: AttemptLog, { costs }: RoutingParts): number => {
  const usage = { ...noUsage, input: expectedPrompt(call) }
  return callCost(usage, call, { ...log, channel }, costs)?.quota ?? Number.POSITIVE_INFINITY
}

/**
 * When and where a second channel is asked for a call that `channel` gets; undefined where none is: hedging is off, the call is
 * bound to a place, or it is not known when the channel is slow.
 */
export const hedgePlan = (
  { call, channel }: { readonly call: RoutedCall; readonly channel: RelayChannel },
  { choose, isFinal, accepts, asked }: HedgeChoice,
  { options, log }: { readonly options: Pick<RelayOptions, 'hedgedGroups'>; readonly log: AttemptLog },
  parts: RoutingParts,
): HedgePlan | undefined => {
  if (!isWanted(call, options) || call.place !== undefined || call.caller.forcedChannel !== undefined) return undefined
  const { firstContents, hedgeBudget, clock } = parts
  if (firstContents === undefined || hedgeBudget === undefined) return undefined
  const slow = firstContents.slow(channel.id, routedModel(askedModel(call)), clock())
  if (slow === undefined) return undefined
  return {
    afterMs: Math.max(leastWaitMs, slow),
    isFinal,
    accepts,
    asked,
    rival() {
      const chosen = choose()
      if (chosen === undefined) return undefined
      const expected = Math.max(...[channel, chosen.channel].map((side) => promptCost(call, side, log, parts)))
      const share = Number.isFinite(expected) ? hedgeBudget.take(expected, clock()) : undefined
      return share && { ...chosen, share, expected }
    },
  }
}
