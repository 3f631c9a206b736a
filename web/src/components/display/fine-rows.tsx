import { createContext, type ReactNode } from 'react'
import { useStatus } from '../../lib/status.ts'

/** Sums below this many dollars have more than two decimals. */
const cent = 0.01

/** True inside a column of money of which any amount is below a cent: all of them then have six decimals, under each other. */
export const FineMoney = createContext(false)

/** True if any of these amounts, in quota units, is below a cent. */
export const isFine = (amounts: readonly unknown[], quotaPerUnit: number): boolean =>
  amounts.some((amount) => typeof amount === 'number' && amount !== 0 && Math.abs(amount) < cent * quotaPerUnit)

/** Rows around a column of `amounts`, in quota units: where any is below a cent all have six decimals, under each other. */
export const FineRows = ({ amounts, children }: { amounts: readonly unknown[]; children: ReactNode }) => {
  const { quota_per_unit: perUnit } = useStatus()
  return <FineMoney value={isFine(amounts, perUnit)}>{children}</FineMoney>
}
