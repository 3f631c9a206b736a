/** A rational number; the denominator is positive. */
export interface Fraction {
  readonly numerator: bigint
  readonly denominator: bigint
}

const half = 2n

/** Rounded to the nearest whole number, halves upwards. */
export const rounded = ({ numerator, denominator }: Fraction): bigint =>
  floor({ numerator: half * numerator + denominator, denominator: half * denominator })

const floor = ({ numerator, denominator }: Fraction): bigint => {
  const down = numerator / denominator
  return numerator % denominator < 0n ? down - 1n : down
}

const precision = 2n ** 53n

/**
 * Whole numbers for fractions whose exact sum is at most half a unit from `total`: each is rounded down or up, and those with the
 * largest remainders are rounded up until the sum is `total`. Among equal remainders the earlier ones are rounded up.
 */
export const apportion = (fractions: readonly Fraction[], total: bigint): readonly bigint[] => {
  const shares = fractions.map(floor)
  const order = fractions
    .map((fraction, index) => {
      const rest = fraction.numerator - (shares[index] ?? 0n) * fraction.denominator
      return { index, remainder: Number((rest * precision) / fraction.denominator) }
    })
    .sort((left, right) => right.remainder - left.remainder || left.index - right.index)
  let missing = total - shares.reduce((sum, share) => sum + share, 0n)
  for (const { index } of order) {
    if (missing <= 0n) break
    shares[index] = (shares[index] ?? 0n) + 1n
    missing -= 1n
  }
  return shares
}
