import type { UsedPiece } from './limit-store.ts'

/** Number of equal parts in which a window is checked. */
export const paceParts = 24
/** Windows before this one that are compared, and how many are needed. */
export const mostWindows = 30
export const leastWindows = 6
/** Factors of the median and of the maximum of earlier windows above which a pace is unusual. */
const timesMedian = 2
const timesMost = 1.5
/** Less than this share of the amount is never worth a notice. */
const leastShare = 0.1
/** A forecast is made once this share of the window is over. */
const leastElapsed = 0.02
/** The pace of a rolling window is that of this share of it, up to now. */
const recentShare = 1 / 6

/** Use by the end of each part of a window; undefined for parts that were not read. */
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
 * True if a window is used unusually fast: by the end of a part far more is used than by the end of the same part of any earlier window.
 * Among similar windows the present one exceeds all of `n` others at most once in `n + 1`, whatever their spread.
 */
export const isUnusual = (used: number, part: number, before: readonly PaceSums[], amount: number): boolean => {
  const usual = before.flatMap((sums) => sums[part] ?? []).toSorted((one, other) => one - other)
  const most = usual.at(-1)
  if (most === undefined || usual.length < leastWindows || used < amount * leastShare) return false
  return used > timesMedian * medianOf(usual) && used > timesMost * most
}

/**
 * Forecast of the time at which an amount is used up at the pace of the window so far, in milliseconds since 1970; undefined where it
 * lasts to the end of the window, is used up already, or where it is too early.
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

/**
 * The same for a rolling window of `length` milliseconds: at the pace of its last sixth (of the time since its first use, where that is
 * shorter), while earlier use leaves the window. `pieces` is the use of one process by the beginning of each piece, and `freeAt` the
 * time at which one has left the window; use of other processes is assumed to be spread alike, so there is no forecast where this one
 * used nothing.
 */
export const rollingUsedUpAt = (
  { used, amount, pieces }: { readonly used: number; readonly amount: number; readonly pieces: readonly UsedPiece[] },
  { length, freeAt }: { readonly length: number; readonly freeAt: (at: number) => number },
  now: number,
): number | undefined => {
  const here = pieces.reduce((sum, [, use]) => sum + use, 0)
  const sorted = pieces.toSorted(([one], [other]) => one - other)
  const [first] = sorted
  if (first === undefined || here <= 0 || used >= amount) return undefined
  const span = Math.min(length * recentShare, now - first[0])
  if (span < length * leastElapsed) return undefined
  const scale = used / here
  const recent = sorted.reduce((sum, [at, use]) => (at >= now - span ? sum + use : sum), 0)
  const pace = (recent * scale) / span
  if (pace <= 0) return undefined
  let standing = used
  for (const [at, use] of sorted) {
    const until = now + (amount - standing) / pace
    const free = freeAt(at)
    if (until < free) return until
    standing -= use * scale
  }
  const until = now + (amount - standing) / pace
  return until < now + length ? until : undefined
}
