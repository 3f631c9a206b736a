import type { Receipt } from '@tollgate/contract'
import { decimal, toNumber } from '../../../billing/decimal.ts'
import type { UpstreamCost } from '../../../billing/upstream/upstream-cost.ts'
import type { RequestRecord } from '../../ports.ts'
import { jobRecord } from '../../provider-jobs/job-record.ts'
import type { NotedBatch } from '../ports.ts'
import type { BatchFigures } from './batch-sum.ts'

export interface ChargedBatch {
  readonly receipt: Receipt
  readonly model: string
  readonly figures: BatchFigures
  readonly cost: UpstreamCost | undefined
}

/** The receipt of a batch of which no line was done. */
export const freeReceipt: Receipt = {
  mode: 'tokens',
  lines: [],
  model_ratio: '1',
  group_ratio: '1',
  quota_per_unit: '1',
  quota: 0,
  estimated: false,
}

/** One charge of this many quota units, for a batch of which nothing else is known. */
export const heldReceipt = (quota: number, name: string): Receipt => ({
  ...freeReceipt,
  lines: [{ item: 'output', quantity: 1, price: String(quota) }],
  quota,
  estimated: true,
  provisional: [{ kind: 'usage', place: 'batch', name, value: name }],
})

/** The one record of a batch: its charge, which names it, so that it cannot be charged twice. */
export const batchRecord = (
  batch: NotedBatch,
  { receipt, model, figures, cost }: ChargedBatch,
  now: number,
): RequestRecord => {
  const { promptTokens, completionTokens, cached, cacheWrite, reasoning, lines, done } = figures
  const groupRatio = toNumber(decimal(receipt.group_ratio))
  const content = `批处理 ${batch.objectId}，${lines} 行，完成 ${done} 行，分组倍率 ${groupRatio.toFixed(2)}`
  const other = { group_ratio: groupRatio, cache_tokens: cached, batch: { id: batch.objectId, lines, done } }
  const measures = { cached, cacheWrite, reasoning }
  return jobRecord(batch, { receipt, model, cost, promptTokens, completionTokens, content, measures, other }, now)
}
