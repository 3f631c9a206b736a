import type { DatedPrice, StoredPrice } from '@tollgate/contract'
import { decimal, multiply, print } from '../../../billing/decimal.ts'
import type { Kind } from '../../../billing/price.ts'
import type { SourcePrices } from '../differences.ts'

/** A place or file that says what models cost. */
export interface PriceReader {
  /** Where it is usually published; absent where every operator has another. */
  readonly address?: string
  /** True if parsed JSON looks like it. */
  matches(json: unknown): boolean
  /** Throws ZodError when it is something else after all. */
  read(json: unknown): SourcePrices
}

const million = decimal(1_000_000)

/** Dollars per million of what costs so many dollars apiece. */
export const perMillion = (dollars: number | string): string => print(multiply(decimal(dollars), million))

/** A price without conditions; undefined where nothing is priced. */
export const plainPrice = (
  named: Pick<StoredPrice, 'provider' | 'model' | 'source'>,
  rates: { readonly [K in Kind]?: string | undefined },
  contexts: readonly { readonly above: number; readonly rates: { readonly [K in Kind]?: string | undefined } }[] = [],
): StoredPrice | undefined => {
  const known = stated(rates)
  if (Object.keys(known).length === 0 || named.model.length > 255) return undefined
  const tiers = contexts
    .toSorted((a, b) => a.above - b.above)
    .map(({ above, rates: of }) => ({ above, rates: { ...known, ...stated(of) } }))
  return { ...named, prices: [{ rates: known, ...(tiers.length > 0 ? { contexts: tiers } : {}) }] }
}

const stated = (rates: { readonly [K in Kind]?: string | undefined }): DatedPrice['rates'] =>
  Object.fromEntries(Object.entries(rates).filter(([, rate]) => rate !== undefined))

export const isMap = (json: unknown): json is Readonly<Record<string, unknown>> =>
  typeof json === 'object' && json !== null && !Array.isArray(json)
