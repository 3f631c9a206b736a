import { cachedTokens, completionTokens, noUsage, promptTokens } from '#server/billing/usage.ts'
import { isObject, parsedJson } from '#server/dialects/conversation/json.ts'
import { usageInBatch } from '#server/relay/batches/billing/answer-usage.ts'
import { openBatchPrices } from '#server/relay/batches/billing/batch-prices.ts'
import type { Prices } from '#server/relay/ports.ts'
import { jobRecord } from '#server/relay/provider-jobs/job-record.ts'
import type { ProviderJobs } from '#server/relay/provider-jobs/provider-jobs.ts'
import type { FrozenPrices } from './frozen-prices.ts'
import { jobOf, type ProviderBatch } from './provider-batch-store.ts'

export interface UnreadLine {
  /** The id of its charge. */
  readonly id: string
  readonly line: number
  /** The provider's. */
  readonly answer: Buffer
}

/** Charges an answer of a batch whose call cannot be read any more, such as one of a deleted key: by the usage that it states. */
export const chargeUnread = async (
  row: ProviderBatch,
  prices: FrozenPrices,
  { id, line, answer }: UnreadLine,
  jobs: Pick<ProviderJobs, 'charge' | 'clock'>,
): Promise<void> => {
  const json = parsedJson(answer.toString())
  const [model = ''] = prices.keys()
  const stated = usageInBatch(isObject(json) ? json : {}, model, answer.length)
  const usage = stated.usage ?? { ...noUsage, tier: 'batch' }
  const job = { ...jobOf(row), id: -line, movement: id, channelId: row.channel_id }
  const frozen: Prices = { of: (name) => prices.get(name) ?? prices.get(model) }
  const receipt = openBatchPrices(frozen, job.owner.group, [...prices.keys()]).receiptOf(usage, stated.model)
  const record = jobRecord(
    job,
    {
      receipt,
      model,
      cost: undefined,
      promptTokens: promptTokens(usage),
      completionTokens: completionTokens(usage),
      content: `批处理第 ${line} 行`,
      measures: { cached: cachedTokens(usage), cacheWrite: usage.cacheWrite, reasoning: usage.reasoning },
      other: {},
    },
    jobs.clock(),
  )
  await jobs.charge(job, () => record, { isOpen: async () => true, close: async () => {} })
}
