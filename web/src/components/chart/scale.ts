/** 1, 2 or 5 times a power of ten, no less than `rough` and, for whole numbers, than 1. */
const roundStep = (rough: number, whole: boolean): number => {
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((times) => times * power >= rough) ?? 10) * power
  return whole ? Math.max(1, step) : step
}

/**
 * Values of the lines across a chart: round numbers from 0 to no less than `most`; `whole` allows no fractions. An empty chart has a
 * line at 0 alone, and 1 as its height.
 */
export const ticksUpTo = (most: number, about = 4, { whole = false } = {}): readonly number[] => {
  if (!(most > 0)) return [0, 1]
  const step = roundStep(most / about, whole)
  const count = Math.ceil(most / step - 1e-9)
  return Array.from({ length: count + 1 }, (_, index) => index * step)
}

/** The same from no more than `least`, which may be below 0. */
export const ticksBetween = (least: number, most: number, about = 4, { whole = false } = {}): readonly number[] => {
  if (!(least < 0)) return ticksUpTo(most, about, { whole })
  const step = roundStep((Math.max(0, most) - least) / about, whole)
  const below = Math.ceil(-least / step - 1e-9)
  const above = Math.ceil(Math.max(0, most) / step - 1e-9)
  return Array.from({ length: below + above + 1 }, (_, index) => (index - below) * step)
}

/** At most `most` of so many places, evenly spread, the first among them; behind the last is as much room as between two. */
export const spreadOver = (places: number, most: number): readonly number[] => {
  if (places <= 0) return []
  const step = Math.max(1, Math.ceil(places / most))
  return Array.from({ length: Math.floor(places / step) }, (_, index) => index * step)
}
