import { add, compare, decimal, exactDecimal, multiply, roundHalfUp } from '../decimal.ts'
import type { Decimal } from '../price.ts'
import type { UpstreamCost } from '../upstream/upstream-cost.ts'
import type { StatedCost, StatedSource } from './stated-costs.ts'

/** Price version of a cost that the provider stated itself. */
export const statedVersion = 'stated'

interface Computed {
  /** By the price of the channel; undefined where that is not known. */
  readonly cost: UpstreamCost | undefined
  /** True where the usage was counted here, so that the computed cost proves nothing. */
  readonly estimated: boolean
}

/** Both figures are rounded to whole units. */
const ofRounding = decimal(1)

/**
 * Cost of a call as its provider states it, in quota units, rounded once. The channel's factor applies to list prices only and is not
 * used. `gap` is the amount by which the statement exceeds the computed cost, where they differ by more than rounding. undefined where
 * the amount is beyond the safe integers, or is 0 from a provider whose zeros mean nothing.
 */
export const statedCost = (
  { amount, by }: StatedCost,
  { name, believesZero, rounding }: StatedSource,
  { cost, estimated }: Computed,
  { model, quotaPerUnit }: { readonly model: string; readonly quotaPerUnit: number },
): UpstreamCost | undefined => {
  const exact = exactDecimal(amount)
  if (exact.digits === 0n && !believesZero) return undefined
  const quota = quotaOf(exact, quotaPerUnit)
  if (quota === undefined) return undefined
  const stated = { amount, by, provider: name, model }
  const made = { quota, version: statedVersion, factor: '1' }
  if (cost === undefined) return { ...made, stated }
  const gap = quota - cost.quota
  const allowed = add(ofRounding, multiply(rounding, decimal(quotaPerUnit)))
  const isGap = !estimated && compare(decimal(Math.abs(gap)), allowed) > 0
  return { ...made, stated: { ...stated, computed: cost.quota }, ...(isGap ? { stated_gap: gap } : {}) }
}

const quotaOf = (dollars: Decimal, quotaPerUnit: number): number | undefined => {
  try {
    return roundHalfUp(multiply(dollars, decimal(quotaPerUnit)))
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
