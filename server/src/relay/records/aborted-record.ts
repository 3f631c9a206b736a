import { receiptOf } from '../../billing/cost.ts'
import type { Price } from '../../billing/price.ts'
import type { ChannelPrices } from '../../billing/upstream/channel-prices.ts'
import { noUsage } from '../../billing/usage.ts'
import type { RelayCall } from '../call.ts'
import { callCost } from '../call-cost.ts'
import type { RequestRecord, TokenCounter } from '../ports.ts'
import { countAtEngine, type EngineCountParts } from '../usage/engine-counts.ts'
import { promptReaderOf } from '../usage/prompt-reader.ts'
import type { AttemptLog } from './attempt-log.ts'
import { chargeRecord } from './record.ts'

export interface AbortedParts extends EngineCountParts {
  readonly costs?: ChannelPrices
  readonly counter: TokenCounter
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/**
 * The record of a call whose client left before the first byte, where its channel bills such calls: the prompt as it is
 * counted here, or by an engine itself, marked as estimated. undefined where there is nothing to pay: a price per call is the price of an answer.
 */
export const abortedRecord = async (
  call: RelayCall,
  price: Price,
  attemptLog: AttemptLog,
  { counter, clock, costs, ...engine }: AbortedParts,
): Promise<RequestRecord | undefined> => {
  if (price.perCall !== undefined) return undefined
  const { channel, upstreamModel } = attemptLog
  const isEngine = channel?.provider.engine !== undefined && call.dialect !== undefined
  const input =
    (isEngine ? await countAtEngine(call, channel, engine) : undefined) ??
    (await counter.prompt(upstreamModel, promptReaderOf(call), call.body))
  if (input === 0) return undefined
  const usage = { ...noUsage, input }
  const receipt = receiptOf(usage, price, { estimated: true })
  const cost = callCost(usage, call, attemptLog, costs)
  const charged = { usage, receipt, price, cost, end: 'client_gone', cause: undefined, blockedWord: undefined } as const
  return { ...chargeRecord(call, attemptLog, charged, clock()), aborted: true }
}
