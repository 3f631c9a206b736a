import type { Decimal, Kind } from '../price.ts'

/** Dollars per million pieces of each kind; a kind without a price counts as a larger one, see `Rates`. */
export type ListRates = { readonly [K in Kind]?: Decimal }

/** Other prices for prompts of more than `above` tokens. */
export interface ListContext {
  readonly above: number
  readonly rates: ListRates
}

/** Prices of a service tier; kinds without a price cost the tier's factor of the usual price. */
export interface ListTier {
  readonly rates: ListRates
  readonly contexts?: readonly ListContext[]
}

/** Price of a model at a provider at one moment, in dollars. */
export interface ListPrice {
  /** The model's id in the list that the price comes from. */
  readonly model: string
  /** The provider's id in that list. */
  readonly provider: string
  /** The list and its version, and the day from which the price holds where the list names one: `genai-prices 0.1.8, 2026-03-13`. */
  readonly version: string
  /** A page or list where the price can be read. */
  readonly source: string
  readonly rates: ListRates
  /** Ascending; absent where the length of the prompt does not matter. */
  readonly contexts?: readonly ListContext[]
  /** Dollars per million pictures, by `size quality`, `size` or `quality`. */
  readonly pictures?: Readonly<Record<string, Decimal>>
  /** Dollars per million milliseconds of a generated video, by its size, resolution or quality. */
  readonly videos?: Readonly<Record<string, Decimal>>
  /** Dollars per thousand calls of a tool that runs at the provider. */
  readonly tools?: Readonly<Record<string, number>>
  /** Factors of service tiers. */
  readonly tiers?: Readonly<Record<string, number>>
  readonly inTiers?: Readonly<Record<string, ListTier>>
  /** Milliseconds since 1970 at which another price begins to hold; Infinity where no change is known. */
  readonly until: number
}

/** Prices of providers. */
export interface ListBook {
  /** The price of a model, as people write its name, at a moment in milliseconds since 1970; undefined where no list knows it. */
  find(model: string, at: number): ListPrice | undefined
  /** The ids of all models that have prices at a moment; absent where they cannot be listed. */
  names?(at: number): readonly string[]
  /**
   * The price of the newest model of the family that a name belongs to which `find` does not know: what it is charged by until a list
   * names it. undefined where the family is not known, or the book has no families.
   */
  newest?(model: string, at: number): ListPrice | undefined
  /**
   * Price at the moment `at` by the lists as of the moment `known` (both ms since 1970). Lists that learnt of a model later state what
   * it cost before.
   */
  findKnown?(model: string, at: number, known: number): ListPrice | undefined
}

/** Knows no model. */
export const emptyListBook: ListBook = { find: () => undefined }
