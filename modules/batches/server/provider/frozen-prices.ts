import type { Price } from '#server/billing/price.ts'

/**
 * Prices of the models of a batch, by the model's name as it is billed. They are those of the moment at which the batch was submitted: a
 * list that changes while the provider works changes no charge.
 */
export type FrozenPrices = ReadonlyMap<string, Price>

/** Member that stands for an integer without a bound, as exact prices have. */
const bigMember = '$integer'

/** Prices as JSON, exact to the last digit. */
export const printPrices = (prices: FrozenPrices): string =>
  JSON.stringify([...prices], (_, value: unknown) =>
    typeof value === 'bigint' ? { [bigMember]: value.toString() } : value,
  )

/** Reads the text of `printPrices`; throws where it is no JSON. */
export const readPrices = (text: string): FrozenPrices =>
  new Map(
    JSON.parse(text, (_, value: unknown) =>
      typeof value === 'object' && value !== null && bigMember in value ? BigInt(String(value[bigMember])) : value,
    ) as [string, Price][],
  )
