import { useStatus } from '#web/lib/status.ts'
import { formatQuota } from '#web/lib/text/format.ts'

/** Writes a difference in quota units as money, with its sign. */
export const useAmountText = (): ((amount: number) => string) => {
  const status = useStatus()
  return (amount) => `${amount > 0 ? '+' : ''}${formatQuota(amount, status)}`
}
