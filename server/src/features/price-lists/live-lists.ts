import { lazySource, type PriceSource } from '../../billing/book/list-book.ts'
import type { ListBook } from '../../billing/book/list-price.ts'
import { sourceOf, unpackLists } from '../../billing/book/price-list-data.ts'
import { createVersionedBook, overlaidSource } from '../../billing/book/versioned-book.ts'
import type { Clock } from '../../lib/clock.ts'
import { type AppliedVersion, statesOf, type VersionState } from './states.ts'
import type { Change, PriceStore, VersionRow } from './store.ts'

/** The prices in force and those that are scheduled, in memory. */
export interface LiveLists {
  /** The same object until a version is applied, or begins. */
  book(): ListBook
  /** The state of the present moment. */
  present(): VersionState
  /** The models of the present moment as a source. */
  source(): PriceSource
  /** Every state, in the order in which they begin. */
  states(): readonly VersionState[]
  /** The state before a version; undefined for one that does not count. */
  before(version: number): VersionState | undefined
  lists(id: number): Promise<PriceSource>
  /** Reads the database again; true if something is different now. */
  refresh(): Promise<boolean>
}

const signatureOf = (rows: readonly VersionRow[]): string =>
  rows.map(({ id, effective_from }) => `${id}:${effective_from}`).join()

/** `base` counts as long as the database has no version. `replaced` is called when the book is another. */
export const openLiveLists = async (
  store: PriceStore,
  base: PriceSource,
  clock: Clock,
  replaced: () => void = () => undefined,
): Promise<LiveLists> => {
  const sources = new Map<number, PriceSource>()
  /** The changes of an applied version never change. */
  const changes = new Map<number, readonly Change[]>()
  const lists = async (id: number): Promise<PriceSource> => {
    const known = sources.get(id)
    if (known !== undefined) return known
    const row = await store.list(id)
    if (row === undefined) throw new Error(`there is no price list ${id}`)
    // Unpacked for the first price: 450 kB of JSON, which an idle server does not need.
    const source = lazySource(() => sourceOf(unpackLists(row.data)))
    sources.set(id, source)
    return source
  }
  const changesOf = async (id: number): Promise<readonly Change[]> => {
    const known = changes.get(id) ?? (await store.changes(id))
    changes.set(id, known)
    return known
  }
  const readVersions = (rows: readonly VersionRow[]): Promise<AppliedVersion[]> =>
    Promise.all(
      rows.map(async (row) => ({
        row,
        changes: await changesOf(row.id),
        lists: row.list_id === 0 ? undefined : await lists(row.list_id),
      })),
    )

  const indexAt = (all: readonly VersionState[]): number => {
    const now = clock()
    return Math.max(
      0,
      all.findLastIndex(({ from }) => from <= now),
    )
  }
  const held = (all: readonly VersionState[], signature: string) => {
    const at = indexAt(all)
    return { all, signature, at, book: createVersionedBook(all) }
  }
  let current = held(statesOf(base, []), 'none')

  const present = (): VersionState => {
    const state = current.all[indexAt(current.all)]
    if (state === undefined) throw new Error('there is always a state')
    return state
  }
  const refresh = async (): Promise<boolean> => {
    const rows = await store.appliedVersions()
    const signature = signatureOf(rows)
    if (signature !== current.signature) {
      current = held(statesOf(base, await readVersions(rows)), signature)
      replaced()
      return true
    }
    // Lists that were made of prices are made anew when a scheduled version begins.
    if (indexAt(current.all) === current.at) return false
    current = held(current.all, signature)
    replaced()
    return true
  }
  await refresh()
  return {
    book: () => current.book,
    present,
    source: () => overlaidSource(present()),
    states: () => current.all,
    before: (version) => {
      const at = current.all.findIndex((state) => state.version === version)
      return at <= 0 ? undefined : current.all[at - 1]
    },
    lists,
    refresh,
  }
}
