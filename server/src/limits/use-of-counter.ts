import type { CallUse, OtherModelUse, UsedCounts } from './call-limits.ts'
import type { Counter } from './counter.ts'

const nothing: UsedCounts = { promptTokens: 0, completionTokens: 0, quota: 0 }

/** Two uses together. */
export const sumOfUses = (one: UsedCounts, other: UsedCounts): UsedCounts => ({
  promptTokens: one.promptTokens + other.promptTokens,
  completionTokens: one.completionTokens + other.completionTokens,
  quota: one.quota + other.quota,
})

const nameOf = ({ compiled, values }: Counter): string => values[compiled.modelAt] ?? ''

/** True where a counter counts a model of an answer by one of its names. */
export const countsModel = (counter: Counter, { isCalled }: OtherModelUse): boolean => isCalled(nameOf(counter))

/**
 * The part of a call that counts for a limit: the whole, or the use billed as its model. `isNamed` for a model that the request names in
 * addition to its own. undefined where the call failed.
 */
export const useOfCounter = (counter: Counter, use: CallUse | undefined, isNamed: boolean): UsedCounts | undefined => {
  if (use === undefined || counter.compiled.modelAt === -1) return use
  if (!isNamed) return use.byModel?.own ?? use
  return (use.byModel?.others ?? []).filter((each) => countsModel(counter, each)).reduce(sumOfUses, nothing)
}
