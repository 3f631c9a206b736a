import type { Receipt } from '@tollgate/contract'
import { decimal, toNumber } from '../../../billing/decimal.ts'
import type { UpstreamCost } from '../../../billing/upstream/upstream-cost.ts'
import type { RequestRecord } from '../../ports.ts'
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
  const { owner, maker } = batch
  const { promptTokens, completionTokens, cached, cacheWrite, reasoning, lines, done } = figures
  const groupRatio = toNumber(decimal(receipt.group_ratio))
  return {
    id: batch.movement,
    at: now,
    kind: 'charge',
    userId: maker.userId,
    username: owner.username,
    tokenId: maker.tokenId,
    tokenName: owner.tokenName,
    channelId: batch.channelId,
    model,
    group: owner.group,
    quota: receipt.quota,
    cost: cost?.quota,
    promptTokens,
    completionTokens,
    useTime: 0,
    isStream: false,
    ip: owner.ip,
    ...(owner.tags === undefined ? {} : { tags: owner.tags }),
    ...(owner.endUser === undefined ? {} : { endUser: owner.endUser }),
    ...(owner.caps === undefined ? {} : { caps: owner.caps.map(({ id }) => id) }),
    content: `批处理 ${batch.objectId}，${lines} 行，完成 ${done} 行，分组倍率 ${groupRatio.toFixed(2)}`,
    // A batch waits for hours: its duration is unrelated to the speed of answers.
    measures: { totalMs: undefined, firstMs: undefined, cached, cacheWrite, reasoning },
    other: {
      group_ratio: groupRatio,
      cache_tokens: cached,
      batch: { id: batch.objectId, lines, done },
      end: 'done',
      ...(owner.program === undefined ? {} : { client: owner.program }),
      path: owner.path,
      admin_info: { use_channel: [String(batch.channelId)], ...(cost === undefined ? {} : { cost }) },
    },
    receipt,
  }
}
