import type { ReactNode } from 'react'
import { useStatus } from '../../lib/status.ts'
import { FineMoney, isFine } from './fine-money.ts'

/** Rows around a column of `amounts`, in quota units: where any is below a cent all have six decimals, under each other. */
export const FineRows = ({ amounts, children }: { amounts: readonly unknown[]; children: ReactNode }) => {
  const { quota_per_unit: perUnit } = useStatus()
  return <FineMoney value={isFine(amounts, perUnit)}>{children}</FineMoney>
}
