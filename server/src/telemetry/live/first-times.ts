/** Milliseconds of the first class, and the factor from one class to the next: 20 ms to 150 s in 40 classes. */
const least = 20
const factor = 1.25
export const firstClasses = 40

/** The class of a time; times beyond the last class are in it. */
export const firstClassOf = (ms: number): number =>
  ms <= least ? 0 : Math.min(firstClasses - 1, Math.ceil(Math.log(ms / least) / Math.log(factor)))

const upperMs = (place: number): number => least * factor ** place

/** The time below which `share` of the counted ones are, within its class in a straight line; null for none. */
export const firstQuantile = (counts: readonly number[], share: number): number | null => {
  const all = counts.reduce((sum, count) => sum + count, 0)
  if (all === 0) return null
  let wanted = share * all
  for (const [place, count] of counts.entries()) {
    if (wanted <= count && count > 0) {
      const from = place === 0 ? 0 : upperMs(place - 1)
      return from + (upperMs(place) - from) * (wanted / count)
    }
    wanted -= count
  }
  return upperMs(firstClasses - 1)
}
