/** Where the lines across a chart stand: at round numbers, from 0 to no less than `most`. */
export const ticksUpTo = (most: number, about = 4): readonly number[] => {
  if (!(most > 0)) return [0, 1]
  const rough = most / about
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((times) => times * power >= rough) ?? 10) * power
  const count = Math.ceil(most / step - 1e-9)
  return Array.from({ length: count + 1 }, (_, index) => index * step)
}

/** At most `most` of so many places, evenly spread, the first among them; behind the last is as much room as between two. */
export const spreadOver = (places: number, most: number): readonly number[] => {
  if (places <= 0) return []
  const step = Math.max(1, Math.ceil(places / most))
  return Array.from({ length: Math.floor(places / step) }, (_, index) => index * step)
}
