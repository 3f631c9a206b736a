import type { Receipt, ReceiptPart } from '@tollgate/contract'
import { quotaOfPart } from '../../billing/cost.ts'
import type { Kind } from '../../billing/kinds.ts'
import { isSameModel } from '../../billing/named-models/same-model.ts'
import type { CallUse, OtherModelUse, UsedCounts } from '../../limits/call-limits.ts'
import type { RequestRecord } from '../ports.ts'

/** The side that a line of a receipt counts on; undefined for other measures than tokens. */
const sideOf: Readonly<Record<Kind, keyof UsedCounts | undefined>> = {
  input: 'promptTokens',
  cache_read: 'promptTokens',
  cache_write: 'promptTokens',
  cache_write_1h: 'promptTokens',
  audio_input: 'promptTokens',
  explicit_cache_read: 'promptTokens',
  audio_cache_read: 'promptTokens',
  image_input: 'promptTokens',
  image_cache_read: 'promptTokens',
  video_input: 'promptTokens',
  output: 'completionTokens',
  audio_output: 'completionTokens',
  reasoning: 'completionTokens',
  image_output: 'completionTokens',
  video_output: 'completionTokens',
  request: undefined,
  duration: undefined,
  characters: undefined,
  pages: undefined,
  queries: undefined,
  picture: undefined,
}

const isKind = (item: string): item is Kind => Object.hasOwn(sideOf, item)

const usedBy = (part: ReceiptPart, receipt: Receipt): UsedCounts => {
  const counts = { promptTokens: 0, completionTokens: 0, quota: quotaOfPart(part, receipt) }
  for (const { item, quantity } of part.lines) {
    const side = isKind(item) ? sideOf[item] : undefined
    if (side !== undefined) counts[side] += quantity
  }
  return counts
}

const sumOf = (name: keyof UsedCounts, uses: readonly UsedCounts[]): number =>
  uses.reduce((sum, use) => sum + use[name], 0)

const namedUse = (model: string, use: UsedCounts): OtherModelUse => ({
  ...use,
  model,
  isCalled: (name) => isSameModel(name, model),
})

/**
 * The use that limits count for a charge. Where other models worked on the answer, or another one wrote it, each counts what was billed at its
 * price, and the model that was asked for the rest; the tokens of the call are those of all of them.
 */
export const useOf = (record: RequestRecord): CallUse => {
  const { receipt, promptTokens, completionTokens, quota } = record
  if (receipt === undefined || (receipt.models === undefined && receipt.model === undefined)) return record
  const parts = (receipt.models ?? []).map((part) => ({ part, use: usedBy(part, receipt) }))
  const others = parts.flatMap(({ part, use }) => (part.asked === true ? [] : [namedUse(part.model, use)]))
  const answer = { promptTokens, completionTokens, quota: quotaOfPart(receipt, receipt) }
  if (receipt.model !== undefined) others.push(namedUse(receipt.model, answer))
  const all = [answer, ...parts.map(({ use }) => use)]
  const [prompt, completion] = [sumOf('promptTokens', all), sumOf('completionTokens', all)]
  const own = {
    promptTokens: prompt - sumOf('promptTokens', others),
    completionTokens: completion - sumOf('completionTokens', others),
    // Each part is rounded, and so is their sum: what is left may be one unit below nothing.
    quota: Math.max(0, quota - sumOf('quota', others)),
  }
  return { promptTokens: prompt, completionTokens: completion, quota, byModel: { own, others } }
}
