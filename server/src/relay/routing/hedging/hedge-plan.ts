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

/** Hedge channel for a stream that is slow to begin. */
export interface Rival {
  readonly channel: RelayChannel
  readonly key: string
  /** Session trace for the log if this one answers. */
  readonly session: SessionTrace | undefined
  /** Its share of the hedge budget. */
  readonly share: HedgeShare
  /** Most quota units that it may cost. */
  readonly expected: number
}

export interface HedgePlan {
  /** Milliseconds without content after which the hedge request is sent. */
  readonly afterMs: number
  /** The hedge channel; undefined where there is none, or its cost is beyond the budget. */
  rival(): Rival | undefined
  /** Called when the hedge request is sent. */
  asked(channel: RelayChannel): void
  /** True if the hedge channel may answer although it cannot express these fields of the request. */
  accepts(unsupported: readonly string[]): boolean
  /** True if a refusal of the first channel is final, whatever the hedge returns. */
  isFinal(retryStatus: number | undefined): boolean
}

/** Milliseconds. Streams that begin earlier are not slow, whatever is usual. */
const leastWaitMs = 10

export interface HedgeChoice {
  /** The hedge channel and its key. */
  choose(): Omit<Rival, 'share' | 'expected'> | undefined
  asked: HedgePlan['asked']
  isFinal: HedgePlan['isFinal']
  accepts: HedgePlan['accepts']
}

const isWanted = ({ route, caller }: RoutedCall, { hedgedGroups }: Pick<RelayOptions, 'hedgedGroups'>): boolean =>
  route?.virtual.hedge === true || hedgedGroups.has(caller.group)

/** Approximate quota units of a prompt at a channel; infinite where unknown, so that no budget has room for it. */
const promptCost = (call: RoutedCall, channel: RelayChannel, log: AttemptLog, { costs }: RoutingParts): number => {
  const usage = { ...noUsage, input: expectedPrompt(call) }
  return callCost(usage, call, { ...log, channel }, costs)?.quota ?? Number.POSITIVE_INFINITY
}

/** Hedge plan of a call at `channel`; undefined for none: hedging is off, the call is bound, or the channel's usual latency is unknown. */
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
