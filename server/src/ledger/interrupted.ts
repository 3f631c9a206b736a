import type { Receipt } from '@tollgate/contract'
import { receiptOf } from '../billing/cost.ts'
import { isUsed } from '../billing/receipt-lines.ts'
import { upstreamCost } from '../billing/upstream/upstream-cost.ts'
import { cachedTokens, completionTokens, noUsage, promptTokens, type Usage } from '../billing/usage.ts'
import type { Interrupted } from '../journal/replay.ts'
import type { RequestBegin, RequestRecord } from '../relay/ports.ts'

/**
 * The record of a request that the end of its process cut short: charged for the last usage it reported, or an error
 * without charge when it reported none. The same begin always gives the same charge.
 */
export const interruptedRecord = ({ begin, usage = noUsage }: Interrupted, nowMs: number): RequestRecord => {
  const { price: _price, upstreamPrice, webCall: _webCall, ...fields } = begin
  // Transcripts may be sold by the time of their sound or beside tokens of a model, and have none then.
  const used = isUsed(usage) || usage.tools !== undefined || usage.models !== undefined
  const receipt = used ? receiptOrNone(begin, usage) : undefined
  // The hold is not known any more.
  const held = { quota: 0, at: begin.at, ms: 0 }
  const cost = receipt && upstreamCost(usage, upstreamPrice)
  return {
    ...fields,
    kind: receipt === undefined ? 'error' : 'charge',
    quota: receipt?.quota ?? 0,
    cost: cost?.quota,
    promptTokens: promptTokens(usage),
    completionTokens: completionTokens(usage),
    useTime: Math.max(0, Math.round((nowMs - begin.at) / 1000)),
    content: 'interrupted',
    other: { end: 'interrupted', ...cacheTokens(usage), ...(cost && { admin_info: { cost } }) },
    receipt: receipt && { ...receipt, held },
  }
}

/** A charge beyond what can be counted must not keep the next start from succeeding. */
const receiptOrNone = ({ price }: RequestBegin, usage: Usage): Receipt | undefined => {
  try {
    return receiptOf(usage, price, { estimated: true })
  } catch {
    return undefined
  }
}

const cacheTokens = (usage: Usage): Record<string, number> => ({
  cache_tokens: cachedTokens(usage),
  cache_creation_tokens: usage.cacheWrite + usage.cacheWrite1h,
})
