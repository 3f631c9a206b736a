import type { Kind } from '../../price.ts'

export type ColumnFigures = { readonly [K in Kind]?: number }

/**
 * Columns of prices that the catalogue does not have: writes to a cache for the longer lifetime, and prices of service tiers that no factor
 * makes. Read from the second source (`tables/second-source/source.ts`).
 */
export interface PriceColumns {
  readonly provider: string
  /** Ids in the lists. */
  readonly models: readonly string[]
  /** The usual price of input that they were read with, in dollars per million tokens: at another price they do not count. */
  readonly usual: number
  /** By the number of prompt tokens above which it holds; 0 for every prompt. */
  readonly longWrites?: Readonly<Record<number, number>>
  /** Kinds that a tier does not name cost its factor of the usual price. */
  readonly tiers?: readonly {
    readonly names: readonly string[]
    readonly rates: ColumnFigures
    readonly contexts?: readonly { readonly above: number; readonly rates: ColumnFigures }[]
  }[]
}

/** Parts the name of a tier from a key of the catalogue, `flex/cache_read_mtok`; versions that do not know tiers pass such keys over. */
export const tierMark = '/'
