import type { LoggedHedge } from '@tollgate/contract'
import type { HedgeCost, RelayChannel } from '../../ports.ts'
import type { HedgeShare } from './hedge-budget.ts'

/** How two channels were asked for one stream. */
export interface HedgeTrace {
  /** Milliseconds after which the second one was asked. */
  readonly afterMs: number
  readonly first: RelayChannel
  readonly second: RelayChannel
  readonly won: LoggedHedge['won']
  /** False where the one that did not answer was cut off before its request was sent: it is in no account. */
  readonly wasSent: boolean
  /** The one that did not answer, and the model that it was asked for; undefined where it took nothing. */
  readonly cutOff: { readonly channel: RelayChannel; readonly upstreamModel: string } | undefined
  /** What it takes of the budget. */
  readonly share: HedgeShare
  /** Quota units that the cut-off channel may cost, until it is settled. */
  readonly expected: number
  /** Once the call is settled. */
  cost?: HedgeCost
}

/** The channel that did not answer. */
export const otherOf = ({ won, first, second }: HedgeTrace): RelayChannel => (won === 'second' ? first : second)

/** What the journal says of a stream that is not over: as much as the channel that was cut off may cost; undefined where it was never asked. */
export const expectedHedge = (hedge: HedgeTrace): HedgeCost | undefined => {
  if (!hedge.wasSent) return undefined
  const cost = hedge.cutOff === undefined ? 0 : hedge.expected
  return hedge.cost ?? { channelId: otherOf(hedge).id, cost, won: hedge.won === 'second' }
}

/** The trace as the log shows it to operators. */
export const printedHedge = (hedge: HedgeTrace): LoggedHedge => ({
  after_ms: Math.round(hedge.afterMs),
  answered: hedge.won === 'second' ? hedge.second.id : hedge.first.id,
  other: otherOf(hedge).id,
  won: hedge.won,
  cost: hedge.cost?.cost ?? 0,
})
