import type { DatedPrice, StoredPrice, TierPrice } from '@tollgate/contract'
import { z } from 'zod'
import { decimal, multiply, print } from '../../../billing/decimal.ts'
import type { Kind } from '../../../billing/price.ts'
import type { SourcePrices } from '../differences.ts'

/** A place or file that says what models cost. */
export interface PriceReader {
  /** Usual address of the list; absent if it differs for every operator. */
  readonly address?: string
  /** True if parsed JSON looks like it. */
  matches(json: unknown): boolean
  /** Throws ZodError when it is something else after all. */
  read(json: unknown): SourcePrices
}

const million = decimal(1_000_000)

const numberText = /^\d{1,20}(\.\d{0,40})?(e[+-]?\d{1,2})?$/i

/** A figure of a list as exact text. Lists have numbers, numbers as text, null, words, and -1 where a price varies: all but numbers are undefined. */
const figureOf = (value: unknown): string | undefined => {
  // Prices per token come with the last digits of a division.
  const text = typeof value === 'number' ? String(Number(value.toPrecision(12))) : value
  return typeof text === 'string' && numberText.test(text) ? text : undefined
}

/** Reads one figure of a list; undefined for what is no number of at least 0. */
export const figure = z.unknown().optional().transform(figureOf)

/** The entries of a list that are of its shape: one of another shape must not hide the rest. */
export const entriesOf = <T>(entries: readonly unknown[], shape: z.ZodType<T>): T[] =>
  entries.flatMap((entry) => {
    const { data } = shape.safeParse(entry)
    return data === undefined ? [] : [data]
  })

/** Dollars per million of what costs so many dollars apiece. */
export const perMillion = (dollars: number | string): string => print(multiply(decimal(dollars), million))

const longestName = 255
const longestSource = 2000

type Rates = { readonly [K in Kind]?: string | undefined }
type Context = { readonly above: number; readonly rates: Rates }

/** Tier's price as it is stored; each length of the prompt repeats the rates that hold for all lengths. */
const keptTier = ({ rates, contexts }: { rates: Rates; contexts: readonly Context[] }): TierPrice => ({
  rates: stated(rates),
  ...(contexts.length > 0 ? { contexts: contexts.map(({ above, rates: of }) => ({ above, rates: stated(of) })) } : {}),
})

/** A price without conditions; undefined where nothing is priced. */
export const plainPrice = (
  named: Pick<StoredPrice, 'provider' | 'model' | 'source'>,
  rates: Rates,
  contexts: readonly Context[] = [],
  inTiers: ReadonlyMap<string, { rates: Rates; contexts: readonly Context[] }> = new Map(),
): StoredPrice | undefined => {
  const known = stated(rates)
  if (Object.keys(known).length === 0 || named.model === '' || named.model.length > longestName) return undefined
  const tiers = contexts
    .toSorted((a, b) => a.above - b.above)
    .map(({ above, rates: of }) => ({ above, rates: { ...known, ...stated(of) } }))
  const services = Object.fromEntries([...inTiers].map(([name, tier]) => [name, keptTier(tier)]))
  return {
    ...named,
    source: named.source.slice(0, longestSource),
    prices: [
      {
        rates: known,
        ...(tiers.length > 0 ? { contexts: tiers } : {}),
        ...(inTiers.size > 0 ? { in_tiers: services } : {}),
      },
    ],
  }
}

const stated = (rates: Rates): DatedPrice['rates'] =>
  Object.fromEntries(Object.entries(rates).filter(([, rate]) => rate !== undefined))

export const isMap = (json: unknown): json is Readonly<Record<string, unknown>> =>
  typeof json === 'object' && json !== null && !Array.isArray(json)
