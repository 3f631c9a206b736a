import type { LoggedHedge } from '@tollgate/contract'
import type { HedgeCost, RelayChannel } from '../../ports.ts'
import type { HedgeShare } from './hedge-budget.ts'

/** Trace of a hedged stream. */
export interface HedgeTrace {
  /** Milliseconds after which the hedge request was sent. */
  readonly afterMs: number
  readonly first: RelayChannel
  readonly second: RelayChannel
  readonly won: LoggedHedge['won']
  /** False where the losing request was aborted before it was sent: it is in no account. */
  readonly wasSent: boolean
  /** The losing channel and its model; undefined where it cost nothing. */
  readonly cutOff: { readonly channel: RelayChannel; readonly upstreamModel: string } | undefined
  /** Its share of the hedge budget. */
  readonly share: HedgeShare
  /** Maximum quota units of the aborted request, until it is settled. */
  readonly expected: number
  /** Actual cost, once the call is settled. */
  cost?: HedgeCost
}

/** The losing channel. */
export const otherOf = ({ won, first, second }: HedgeTrace): RelayChannel => (won === 'second' ? first : second)

/** Cost of the losing request in the journal of a running stream: its maximum; undefined where it was never sent. */
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
