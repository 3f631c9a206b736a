import { ownMember } from '@tollgate/contract/own-member'
import { shownPageSize } from '../api/contract.ts'
import { preferencesStore } from '../preferences/preferences.ts'
import { readText, writeText } from '../preferences/storage.ts'
import { useSearchParams } from './search-params.ts'
import {
  printList,
  printSort,
  readList,
  readPageSize,
  readSort,
  readWhole,
  type Search,
  type Sort,
} from './url-state.ts'

/** The query that the contract's paged lists read. */
export type TableQuery<F extends string> = { p: number; page_size: number; sort?: string; not?: string } & {
  [K in F]?: string
}

/** The state of a table: stored in the address, so that a view can be reloaded, shared and returned to. */
export interface TableState<F extends string = string> {
  readonly name: string
  readonly page: number
  readonly pageSize: number
  readonly sort: Sort | undefined
  /** Lists are comma separated. */
  readonly filters: Readonly<Partial<Record<F, string>>>
  /** Filters that exclude their values. */
  readonly not: readonly F[]
  /** The value of a filter until the person chooses otherwise. */
  readonly fallback?: (name: F) => string | undefined
  /** True when a filter differs from its default. */
  readonly filtered: boolean
  readonly query: TableQuery<F>
  /** `replace`: without a way back, for a page that is not there. */
  setPage: (page: number, how?: { replace?: boolean }) => void
  /** True where pages can only be turned one by one. */
  readonly stepwise?: boolean
  setPageSize: (size: number) => void
  setSort: (sort: Sort | undefined) => void
  /** `not` sets whether the filter excludes its values; without it that stays unchanged. */
  setFilter: (name: F, value: string | undefined, how?: { not: boolean }) => void
  clearFilters: () => void
  /** The filters and the order as in the address; absent ones have their default. */
  readonly view: Readonly<Record<string, string>>
  /** Shows exactly this view; `replace`: without a way back. */
  showView: (view: Readonly<Record<string, string>>, how?: { replace?: boolean }) => void
}

/** True for a filter that is set, and not by default. */
export const isChosen = <F extends string>({ filters, fallback }: TableState<F>, name: F): boolean =>
  filters[name] !== undefined && filters[name] !== fallback?.(name)

export interface TableStateOptions<F extends string> {
  /** Names the table in storage: its page size, columns and density. */
  name: string
  /** Search parameters that are filters. */
  filters: readonly F[]
  /** Filters in force until the person chooses otherwise. */
  defaults?: Partial<Record<F, string>>
  defaultSort?: Sort
}

/** A disabled default filter is `-` in the address, because an absent one means the default. */
const off = '-'

/** A table's state in an address, and the query of its list. */
const readTable = <F extends string>({ name, filters: names, ...options }: TableStateOptions<F>, search: Search) => {
  const storedSize = readPageSize(readText(`page-size:${name}`) ?? readText('page-size') ?? undefined, shownPageSize)
  const page = readWhole(search.p, 1)
  const pageSize = readPageSize(search.size, storedSize)
  const sort = readSort(search.sort) ?? options.defaultSort
  const filters: Partial<Record<F, string>> = {}
  for (const filter of names) {
    const value = search[filter] ?? options.defaults?.[filter]
    if (value !== undefined && value !== '' && value !== off) filters[filter] = value
  }
  const printed = printSort(sort)
  const chosenNot = readList(search.not)
  const not = names.filter((filter) => filters[filter] !== undefined && chosenNot.includes(filter))
  const printedNot = printList(not)
  const query = {
    ...filters,
    p: page,
    page_size: pageSize,
    ...(printed ? { sort: printed } : {}),
    ...(printedNot ? { not: printedNot } : {}),
  } as TableQuery<F>
  return { page, pageSize, sort, filters, not, query }
}

/** The query of a table at an address; its default view applies where the address has no state. */
export const tableQueryAt = <const F extends string>(options: TableStateOptions<F>, search: Search): TableQuery<F> => {
  const { default_views: defaults, views, shared_views: shared } = preferencesStore.get().all
  const id = Object.keys(search).length === 0 ? ownMember(defaults, options.name) : undefined
  const view = id === undefined ? undefined : (ownMember(views, id) ?? ownMember(shared, id))
  return readTable(options, view?.search ?? search).query
}

/** Reads and writes a table's state in the address. Changing a filter, the size or the order goes back to page 1. */
export const useTableState = <const F extends string>(options: TableStateOptions<F>): TableState<F> => {
  const [search, setSearch] = useSearchParams()
  const { name, filters: names, defaults = {} } = options
  const { filters, not, ...read } = readTable(options, search)
  const fallback = (filter: F): string | undefined => (defaults as Partial<Record<F, string>>)[filter]
  const viewNames: readonly (F | 'not' | 'sort')[] = [...names, 'not', 'sort']
  return {
    ...read,
    name,
    filters,
    not,
    fallback,
    filtered: names.some((filter) => filters[filter] !== fallback(filter)),
    setPage: (next, how) => setSearch({ p: next === 1 ? undefined : String(next) }, how),
    setPageSize: (size) => {
      writeText(`page-size:${name}`, String(size))
      setSearch({ size: String(size), p: undefined })
    },
    setSort: (next) => setSearch({ sort: printSort(next), p: undefined }),
    setFilter: (filter, value, how) => {
      const text = value || (fallback(filter) === undefined ? undefined : off)
      const others = not.filter((name) => name !== filter)
      const isNot = Boolean(value) && (how ? how.not : not.includes(filter))
      const changes = {
        [filter]: text === fallback(filter) ? undefined : text,
        not: printList(isNot ? [...others, filter] : others),
        p: undefined,
      }
      setSearch(changes, { replace: true })
    },
    view: Object.fromEntries(viewNames.flatMap((key) => (search[key] ? [[key, search[key]]] : []))),
    showView: (view, how) =>
      setSearch({ ...Object.fromEntries(viewNames.map((key) => [key, view[key]])), p: undefined }, how),
    clearFilters: () =>
      setSearch({ ...Object.fromEntries(names.map((filter) => [filter, undefined])), not: undefined, p: undefined }),
  }
}
