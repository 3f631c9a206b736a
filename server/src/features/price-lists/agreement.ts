import type { PriceSourceName, StoredPrice } from '@tollgate/contract'
import type { PriceSource } from '../../billing/book/list-book.ts'
import { priceKey } from '../../billing/book/versioned-book.ts'
import { isSamePrice, listedUnder, type SourcePrices } from './differences.ts'
import { doubtsOf } from './price-checks.ts'

/** Prices of one public list. */
export interface ReadList {
  readonly name: PriceSourceName
  /** The provider whose own list it is: what it says of its own models needs nobody to agree. */
  readonly maker: string | undefined
  readonly prices: SourcePrices['prices']
}

/** Providers of the lists whose new models are taken before a channel serves them: they made these. */
const makers: ReadonlySet<string> = new Set([
  'openai',
  'anthropic',
  'google',
  'x-ai',
  'deepseek',
  'mistral',
  'cohere',
  'moonshotai',
  'zai',
  'minimax',
  'perplexity',
])

/** Kinds that two lists have to state alike; others one of them may not know. */
const agreed = ['input', 'output'] as const

const isAgreed = (one: StoredPrice, other: StoredPrice): boolean => {
  const [left, right] = [one.prices[0]?.rates, other.prices[0]?.rates]
  if (left?.input === undefined || right?.input === undefined) return false
  const isAlike = (kind: keyof typeof left): boolean =>
    left[kind] === undefined ||
    right[kind] === undefined ||
    isSamePrice([{ rates: { [kind]: left[kind] } }], [{ rates: { [kind]: right[kind] } }])
  // Kinds that both lists state must be equal; those of `agreed` must be stated by both or by neither.
  return (
    agreed.every((kind) => (left[kind] === undefined) === (right[kind] === undefined)) &&
    Object.keys({ ...left, ...right }).every((kind) => isAlike(kind as keyof typeof left))
  )
}

/** Of two that agree the one that says more: lengths of the prompt, tiers, lifetimes. */
const fuller = (one: StoredPrice, other: StoredPrice): StoredPrice =>
  JSON.stringify(other.prices).length > JSON.stringify(one.prices).length ? other : one

interface Said {
  readonly list: ReadList
  readonly price: StoredPrice
}

const longestSource = 2000

const taken = ({ price }: Said, lists: readonly ReadList[], day: string): StoredPrice => ({
  ...price,
  source: `${price.source} (${lists.map(({ name }) => name).join(' + ')}, ${day})`.slice(-longestSource),
})

const choose = (said: readonly Said[], day: string): StoredPrice | undefined => {
  const own = said.find(({ list, price }) => list.maker === price.provider)
  if (own !== undefined) return taken(own, [own.list], day)
  for (const [at, one] of said.entries())
    for (const other of said.slice(at + 1))
      if (isAgreed(one.price, other.price)) {
        const best = fuller(one.price, other.price) === one.price ? one : other
        return taken(best, [one.list, other.list], day)
      }
  return undefined
}

/**
 * New models that may be taken without a question: two lists state the same price, or the provider's own list does, and nothing about it is
 * doubtful. Only models of makers, and those that a channel serves. Their `source` names the lists and the day.
 */
export const agreedModels = (
  live: PriceSource,
  lists: readonly ReadList[],
  { names, now }: { readonly names: readonly string[]; readonly now: number },
): StoredPrice[] => {
  const served = new Set(names.map((name) => name.toLowerCase()))
  const byKey = new Map<string, Said[]>()
  for (const list of lists)
    for (const price of list.prices) {
      const id = price.model.toLowerCase()
      const isWanted = makers.has(price.provider) || served.has(id) || served.has(id.slice(id.lastIndexOf('/') + 1))
      if (!isWanted || listedUnder(live, price.provider, price.model) !== undefined) continue
      const key = priceKey(price.provider, price.model)
      byKey.set(key, [...(byKey.get(key) ?? []), { list, price }])
    }
  const day = new Date(now).toISOString().slice(0, 10)
  return [...byKey.values()].flatMap((said) => {
    const found = choose(said, day)
    return found !== undefined && doubtsOf(undefined, found, now).length === 0 ? [found] : []
  })
}
