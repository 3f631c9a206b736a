import { useDebouncedValue } from '@mantine/hooks'
import { calls } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'

const quietMs = 300

export interface AskedPrice {
  /** Two decimals; undefined until it is known for this amount. */
  readonly money: string | undefined
  readonly problem: string | undefined
}

/** The price of an amount, requested once the user stops typing. */
export const usePrice = (amount: number): AskedPrice => {
  const [settled] = useDebouncedValue(amount, quietMs)
  const isReady = settled >= 1
  const price = useEndpoint(calls.quoteTopUp, { body: { amount: settled, top_up_code: '' } }, { enabled: isReady })
  const current = isReady && settled === amount && !price.isPlaceholderData
  return {
    money: current && !price.error ? price.data : undefined,
    problem: current ? price.error?.message : undefined,
  }
}
