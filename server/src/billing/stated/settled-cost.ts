import { add, compare, decimal, exactDecimal, multiply, roundHalfUp } from '../decimal.ts'
import type { Decimal } from '../price.ts'
import type { UpstreamCost } from '../upstream/upstream-cost.ts'
import type { StatedCost, StatedSource } from './stated-costs.ts'

/** The version of a cost that the provider stated itself. */
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
 * What a call costs by the statement of its provider: the amount in quota units, rounded once. The factor of the channel is one of
 * list prices and does not apply. `gap` is by how much the statement is above the computed cost, where they differ by more than
 * roundings. undefined where the amount cannot be counted, or says nothing.
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
