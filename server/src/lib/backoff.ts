/** Pauses before the next attempts, in seconds; the last one repeats. */
export type Pauses = readonly number[]

/** Pauses that grow by a factor, up to the longest. */
export const growingPauses = (pauses: {
  readonly first: number
  readonly growth: number
  readonly longest: number
}): Pauses => {
  const { growth, longest } = pauses
  const list = [Math.min(pauses.first, longest)]
  for (let next = pauses.first * growth; next < longest; next *= growth) list.push(next)
  return list.at(-1) === longest ? list : [...list, longest]
}

/** The pause after so many failures in a row, at least one. */
export const pauseAfter = (pauses: Pauses, failures: number): number =>
  pauses[Math.min(Math.max(failures, 1), pauses.length) - 1] ?? 0
