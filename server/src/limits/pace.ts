/** A window is looked at in so many parts of equal length. */
export const paceParts = 24
/** Windows before this one that are compared, and how many are needed. */
export const mostWindows = 30
export const leastWindows = 6
/** Unusual is more than so many times the median, and more than so many times the most, of the windows before. */
const timesMedian = 2
const timesMost = 1.5
/** Less than this share of the amount is never worth a notice. */
const leastShare = 0.1
/** A forecast is made once this share of the window is over. */
const leastElapsed = 0.02

/** What was used by the end of each part of a window; undefined where nobody looked. */
export type PaceSums = readonly (number | undefined)[]

/** Number of the part of a window from `at` to `end` at a moment, from 0. */
export const partAt = (at: number, end: number, now: number): number =>
  Math.min(paceParts - 1, Math.max(0, Math.floor(((now - at) / (end - at)) * paceParts)))

const medianOf = (sorted: readonly number[]): number => {
  const middle = sorted.length >>> 1
  const [low = 0, high = 0] = [sorted[(sorted.length - 1) >>> 1], sorted[middle]]
  return (low + high) / 2
}

/**
 * Whether a window is used unusually fast: by the end of a part far more is used than by the end of the same part of any of
 * the windows before. Where windows are alike, the one at hand is above all of `n` others once in `n + 1` at most, whatever their spread.
 */
export const isUnusual = (used: number, part: number, before: readonly PaceSums[], amount: number): boolean => {
  const usual = before.flatMap((sums) => sums[part] ?? []).toSorted((one, other) => one - other)
  const most = usual.at(-1)
  if (most === undefined || usual.length < leastWindows || used < amount * leastShare) return false
  return used > timesMedian * medianOf(usual) && used > timesMost * most
}

/**
 * When an amount is used up at the pace of the window so far, in milliseconds since 1970; undefined where it lasts to the end of the
 * window, is used up already, or where it is too early to say.
 */
export const usedUpAt = (
  { used, amount }: { readonly used: number; readonly amount: number },
  { at, end }: { readonly at: number; readonly end: number },
  now: number,
): number | undefined => {
  const elapsed = now - at
  if (used <= 0 || used >= amount || elapsed < (end - at) * leastElapsed) return undefined
  const until = now + ((amount - used) * elapsed) / used
  return until < end ? until : undefined
}
