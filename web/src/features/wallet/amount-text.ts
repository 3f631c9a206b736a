import { useStatus } from '../../lib/status.ts'
import { formatInteger } from '../../lib/text/format.ts'

/** An amount as people read it: currency, or quota units. */
export const useAmountText = (): ((amount: number) => string) => {
  const { display_in_currency: inCurrency } = useStatus()
  return (amount) => (inCurrency ? `$${formatInteger(amount)}` : formatInteger(amount))
}
