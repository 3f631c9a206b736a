import { useStatus } from '../../lib/status.ts'
import { formatInteger } from '../../lib/text/format.ts'

export interface Payment {
  readonly amount: number
  /** The type of one of the methods that the site offers. */
  readonly method: string
  readonly methodName: string
  /** Undefined while the price is loading; the gateway shows it as well. */
  readonly money: string | undefined
}

/** An amount as people read it: currency, or quota units. */
export const useAmountText = (): ((amount: number) => string) => {
  const { display_in_currency: inCurrency } = useStatus()
  return (amount) => (inCurrency ? `$${formatInteger(amount)}` : formatInteger(amount))
}
