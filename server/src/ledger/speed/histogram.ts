/**
 * How long calls took, counted in classes that grow by the eighth root of two: a class is named by its octave (powers of two
 * of a millisecond) and its place there. Counts add up, so histograms of any times, nodes and dimensions merge exactly.
 */
export type Histogram = Map<number, number[]>

/** Classes in an octave. */
export const octaveSteps = 8
/** 2^22 ms are 70 minutes; what takes longer counts as that. */
const lastOctave = 22
/** A quantile is at most this far from the exact one, relative to it: half a class. */
export const quantileError = 2 ** (1 / (2 * octaveSteps)) - 1

/** Bucket of a duration; less than a millisecond counts as one. */
export const placeOf = (ms: number): { readonly octave: number; readonly step: number } => {
  const log = Math.log2(Math.max(1, ms))
  const octave = Math.min(lastOctave, Math.floor(log))
  return { octave, step: Math.min(octaveSteps - 1, Math.floor((log - octave) * octaveSteps)) }
}

/** Counts one duration, in milliseconds. */
export const countDuration = (histogram: Histogram, ms: number): void => {
  const { octave, step } = placeOf(ms)
  const counts = countsAt(histogram, octave)
  counts[step] = (counts[step] ?? 0) + 1
}

const countsAt = (histogram: Histogram, octave: number): number[] => {
  const there = histogram.get(octave)
  if (there !== undefined) return there
  const fresh = new Array<number>(octaveSteps).fill(0)
  histogram.set(octave, fresh)
  return fresh
}

/** Adds the counts of one octave, `sign` times. */
export const addCounts = (histogram: Histogram, octave: number, counts: readonly number[], sign = 1): void => {
  const sum = countsAt(histogram, octave)
  for (let step = 0; step < octaveSteps; step += 1) sum[step] = (sum[step] ?? 0) + sign * (counts[step] ?? 0)
}

/** Adds the counts of `other` to `histogram`; subtracts them with `sign` -1. */
export const mergeInto = (histogram: Histogram, other: Histogram, sign = 1): void => {
  for (const [octave, counts] of other) addCounts(histogram, octave, counts, sign)
}

/** Tolerance for counts that are shares of durations (`timesFigures`), whose sums are slightly off. */
const slack = 1e-9

/** How many durations are counted. */
export const countOf = (histogram: Histogram): number => {
  let all = 0
  for (const counts of histogram.values()) for (const count of counts) all += count
  return all
}

/**
 * The duration, in milliseconds, that `share` of the counted ones do not exceed: the middle of its class, at most
 * `quantileError` from the exact one. undefined where nothing is counted.
 */
export const quantile = (histogram: Histogram, share: number): number | undefined => {
  const all = countOf(histogram)
  if (all <= 0) return undefined
  let left = Math.max(2 * slack, all * share)
  for (const octave of [...histogram.keys()].sort((one, other) => one - other)) {
    const counts = histogram.get(octave) ?? []
    for (let step = 0; step < octaveSteps; step += 1) {
      left -= counts[step] ?? 0
      if (left <= slack) return 2 ** (octave + (step + 0.5) / octaveSteps)
    }
  }
  return undefined
}
