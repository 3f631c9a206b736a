import { createContext } from 'react'

/** Sums below this many dollars have more than two decimals. */
const cent = 0.01

/** True inside a column of money of which any amount is below a cent: all of them then have six decimals, under each other. */
export const FineMoney = createContext(false)

/** True if any of these amounts, in quota units, is below a cent. */
export const isFine = (amounts: readonly unknown[], quotaPerUnit: number): boolean =>
  amounts.some((amount) => typeof amount === 'number' && amount !== 0 && Math.abs(amount) < cent * quotaPerUnit)
