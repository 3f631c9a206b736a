import { type PriceSource, resolveName } from '../../billing/book/list-book.ts'
import { priceKey } from '../../billing/book/versioned-book.ts'
import type { Clock } from '../../lib/clock.ts'
import { agreedModels, type ReadList } from './agreement.ts'
import type { Comparison } from './comparison.ts'
import { listedUnder, type SourcePrices } from './differences.ts'
import type { ListComparison, PriceLists } from './price-lists.ts'
import { serverActor } from './propose.ts'

/** The public lists that are compared by themselves, and whose own list one is. */
export const publicLists = [
  { name: 'catalogue', maker: undefined },
  { name: 'litellm', maker: undefined },
  { name: 'models_dev', maker: undefined },
  { name: 'openrouter', maker: 'openrouter' },
] as const

export interface PublicListParts {
  readonly lists: PriceLists
  readonly comparison: Comparison
  /** Names that enabled channels serve. */
  names(): readonly string[]
  readonly clock: Clock
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void
}

/** Kinds of found prices that are applied without asking. */
export interface PublicListRules {
  /** New models on which two lists, or the maker's own, agree. */
  readonly takesNew: boolean
  /** Changed prices about which nothing is doubtful. */
  readonly takesChanges: boolean
}

const agreedSource = 'public lists'

/** Models whose price a channel that is in use asks for. */
const servedKeys = (live: PriceSource, names: readonly string[]): ReadonlySet<string> =>
  new Set(
    names.flatMap((name) => {
      const found = resolveName(live, name)
      return found === undefined ? [] : [priceKey(found.model.provider, found.model.id)]
    }),
  )

/** Only what a channel serves: a list of thousands of prices that nobody asks for is not read by anybody. */
const inUse = (live: PriceSource, prices: SourcePrices['prices'], names: readonly string[]): SourcePrices => {
  const keys = servedKeys(live, names)
  const isServed = ({ provider, model }: SourcePrices['prices'][number]): boolean => {
    const listed = listedUnder(live, provider, model)
    // New models are left to the agreement of the lists, or shown where a channel serves the name.
    return listed === undefined || keys.has(priceKey(listed.provider, listed.id))
  }
  return { prices: prices.filter(isServed), complete: false }
}

/**
 * Returns one comparison with all public lists. New models on which they agree are a version of their own; what else differs about models
 * in use is a proposal of each list. A list that cannot be read is told once, until it can be read again, and hinders nothing.
 */
export const openPublicLists = (parts: PublicListParts): ((rules: PublicListRules) => Promise<void>) => {
  const { lists, comparison, clock, warn } = parts
  const failing = new Set<string>()

  const readAll = async (): Promise<ReadList[]> => {
    const read = await Promise.all(
      publicLists.map(async ({ name, maker }): Promise<ReadList[]> => {
        try {
          const { prices } = await comparison.read(name, undefined)
          failing.delete(name)
          return [{ name, maker, prices }]
        } catch (error) {
          if (!failing.has(name)) warn('price_sync_failed', { source: name, error })
          failing.add(name)
          return []
        }
      }),
    )
    return read.flat()
  }

  const apply = ({ id }: ListComparison): Promise<void> =>
    lists.apply(id, { decisions: {}, at: undefined, actor: serverActor })

  return async ({ takesNew, takesChanges }) => {
    const [read, names] = [await readAll(), parts.names()]
    const fresh = agreedModels(lists.live.source(), read, { names, now: clock() })
    if (fresh.length > 0) {
      const made = await lists.propose(
        agreedSource,
        { prices: fresh, complete: true },
        { names, actor: serverActor, once: true },
      )
      if (takesNew && made.id !== 0) await apply(made)
    }
    for (const { name, prices } of read) {
      const found = await lists.propose(`${name} ${agreedSource}`, inUse(lists.live.source(), prices, names), {
        names,
        actor: serverActor,
        once: true,
      })
      const isPlain = found.changes.length > 0 && found.changes.every(({ decision }) => decision === 'apply')
      if (takesChanges && found.id !== 0 && isPlain) await apply(found)
    }
  }
}
