import { memoize } from '../../lib/memoize.ts'
import { onFirstUse } from '../../lib/on-first-use.ts'
import { idsOf, type PriceSource, resolveName } from './list-book.ts'
import type { ListBook, ListPrice } from './list-price.ts'
import type { NamedModel } from './model-names.ts'
import { newestModels } from './newest-model.ts'
import type { ListedModel } from './stored-price.ts'

/** Names a model of a list. */
export const priceKey = (provider: string, model: string): string => `${provider}\n${model.toLowerCase()}`

/** A price that takes the place of a list's; without one the model counts as unknown to the lists. */
export interface OverlaidModel extends ListedModel {
  readonly isUnlisted?: true
}

/** Hides a model of a list. */
export const unlisted = (provider: string, id: string): OverlaidModel => ({
  provider,
  id,
  stored: { provider, model: id, source: '', prices: [] },
  version: '',
  at: () => undefined,
  isUnlisted: true,
})

/** Lists, and the prices that take the place of theirs. */
export interface BookState {
  /** Milliseconds since 1970 from which it holds. */
  readonly from: number
  readonly lists: PriceSource
  /** By `priceKey`. */
  readonly overlay: ReadonlyMap<string, OverlaidModel>
}

/**
 * Lists with other prices laid over them. A price of exactly this id comes first; then the model that the lists mean, at the price
 * laid over it.
 */
export const overlaidSource = ({ lists, overlay }: Pick<BookState, 'lists' | 'overlay'>): PriceSource => {
  const bare = new Map<string, OverlaidModel>()
  for (const model of overlay.values()) {
    const id = model.id.toLowerCase()
    // A price without a provider is for the name as it stands.
    if (!bare.has(id) || model.provider === '') bare.set(id, model)
  }
  const exact = ({ id, provider }: NamedModel, listed: ListedModel | undefined): OverlaidModel | undefined => {
    if (provider !== undefined) return overlay.get(priceKey(provider, id))
    const own = overlay.get(priceKey('', id))
    if (own !== undefined) return own
    return listed === undefined ? bare.get(id) : overlay.get(priceKey(listed.provider, id))
  }
  const known = (model: OverlaidModel | undefined): ListedModel | undefined =>
    model?.isUnlisted === true ? undefined : model
  const lookUpIn =
    (source: PriceSource): PriceSource['lookUp'] =>
    (named) => {
      const listed = source.lookUp(named)
      if (overlay.size === 0) return listed
      return known(exact(named, listed) ?? (listed && (overlay.get(priceKey(listed.provider, listed.id)) ?? listed)))
    }
  const { last } = lists
  return {
    lookUp: lookUpIn(lists),
    ...(last === undefined ? {} : { last: { lookUp: lookUpIn(last), models: last.models } }),
    models() {
      const listed = lists.models()
      const keys = new Set(listed.map(({ provider, id }) => priceKey(provider, id)))
      const added = [...overlay].flatMap(([key, model]) => (keys.has(key) ? [] : [model]))
      return [...listed.map((model) => overlay.get(priceKey(model.provider, model.id)) ?? model), ...added].filter(
        (model) => known(model) !== undefined,
      )
    },
  }
}

const mostNames = 10_000

/** Prices over time: at each moment those of the last state that began before it. `states` are in the order in which they begin. */
export const createVersionedBook = (states: readonly BookState[]): ListBook => {
  const books = states.map((state, index) => {
    // Past and future states are built only when their prices are needed.
    const source = onFirstUse(() => overlaidSource(state))
    const newest = onFirstUse(() => newestModels(source()))
    return {
      from: state.from,
      until: states[index + 1]?.from ?? Number.POSITIVE_INFINITY,
      ids: onFirstUse(() => idsOf(source())),
      entryOf: memoize(mostNames, (name) => ({ model: resolveName(source(), name)?.model })),
      newest: (name: string, at: number) => newest()(name, at),
    }
  })
  type Book = (typeof books)[number]
  const bookAt = (at: number): Book | undefined => books.findLast(({ from }) => from <= at) ?? books[0]
  const priced = (at: number, modelIn: (book: Book) => ListedModel | undefined): ListPrice | undefined => {
    const book = bookAt(at)
    const price = book && modelIn(book)?.at(at)
    if (price === undefined || book === undefined || price.until <= book.until) return price
    return { ...price, until: book.until }
  }
  return {
    find: (name, at) => priced(at, ({ entryOf }) => entryOf(name).model),
    names: (at) => bookAt(at)?.ids() ?? [],
    newest: (name, at) => priced(at, ({ newest }) => newest(name, at)),
    findKnown: (name, at, known) => bookAt(known)?.entryOf(name).model?.at(at),
  }
}
