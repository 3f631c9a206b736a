import type { ChannelPrices } from '../../../billing/upstream/channel-prices.ts'
import { noUsage, promptTokens, type Usage } from '../../../billing/usage.ts'
import type { RelayCall } from '../../call.ts'
import { callCost } from '../../call-cost.ts'
import type { AttemptLog } from '../../records/attempt-log.ts'
import { expectedPrompt } from '../../usage/expected-tokens.ts'
import { otherOf } from './hedge-trace.ts'

/**
 * Settles what the channel cost that was cut off: the prompt, whole and uncached, since it did not say what it took. It is the expected one
 * where the answer has no usage. Nothing where its request was never sent. Harmless where one channel was asked, and the second time.
 */
export const settleHedge = (
  usage: Usage | undefined,
  call: RelayCall,
  log: AttemptLog,
  costs: ChannelPrices | undefined,
): void => {
  const { hedge } = log
  if (hedge === undefined || hedge.cost !== undefined) return
  if (!hedge.wasSent) {
    hedge.share.settle(0)
    return
  }
  const { cutOff } = hedge
  const input = usage === undefined ? expectedPrompt(call) : promptTokens(usage)
  const taken = { ...noUsage, input }
  const cost = cutOff === undefined ? 0 : (callCost(taken, call, { ...log, ...cutOff }, costs)?.quota ?? 0)
  hedge.share.settle(cost)
  hedge.cost = { channelId: otherOf(hedge).id, cost, won: hedge.won === 'second' }
}
