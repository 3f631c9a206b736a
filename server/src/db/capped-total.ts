/** Rows of a list that are counted at most: a reader does not page through more, and it would cost a whole scan. */
export const mostCounted = 10_000

/** The total of a page: exact up to `most`, a lower bound where more were counted. Count up to `most + 1` rows for it. */
export const cappedTotal = (counted: number, most = mostCounted): { total: number; total_capped?: true } => ({
  total: Math.min(counted, most),
  ...(counted > most ? { total_capped: true } : {}),
})
