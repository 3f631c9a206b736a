import { defaultPageSize } from './contract.ts'
import { useSearchParams } from './search-params.ts'
import { readText, writeText } from './storage.ts'
import { printSort, readPageSize, readSort, readWhole, type Sort } from './url-state.ts'

/** The query that the contract's paged lists read. */
export type TableQuery<F extends string> = { p: number; page_size: number; sort?: string } & { [K in F]?: string }

/** What a table shows: it lives in the address, so that a view can be reloaded, shared and gone back to. */
export interface TableState<F extends string = string> {
  readonly name: string
  readonly page: number
  readonly pageSize: number
  readonly sort: Sort | undefined
  /** Lists are comma separated. */
  readonly filters: Readonly<Partial<Record<F, string>>>
  /** True when a filter differs from its default. */
  readonly filtered: boolean
  readonly query: TableQuery<F>
  /** `replace`: without a way back, for a page that is not there. */
  setPage: (page: number, how?: { replace?: boolean }) => void
  setPageSize: (size: number) => void
  setSort: (sort: Sort | undefined) => void
  setFilter: (name: F, value: string | undefined) => void
  clearFilters: () => void
}

export interface TableStateOptions<F extends string> {
  /** Names the table in storage: its page size, columns and density. */
  name: string
  /** Search parameters that are filters. */
  filters: readonly F[]
  /** Filters in force until the person chooses otherwise. */
  defaults?: Partial<Record<F, string>>
  defaultSort?: Sort
}

/** A default filter that was switched off stands in the address as `-`, because an absent one means the default. */
const off = '-'

/** Reads and writes a table's state in the address. Changing a filter, the size or the order goes back to page 1. */
export const useTableState = <const F extends string>(options: TableStateOptions<F>): TableState<F> => {
  const [search, setSearch] = useSearchParams()
  const { name, filters: names, defaults = {} } = options
  const sizeKey = `page-size:${name}` as const
  const remembered = readPageSize(readText(sizeKey) ?? readText('page-size') ?? undefined, defaultPageSize)
  const page = readWhole(search.p, 1)
  const pageSize = readPageSize(search.size, remembered)
  const sort = readSort(search.sort) ?? options.defaultSort
  const fallback = (filter: F): string | undefined => (defaults as Partial<Record<F, string>>)[filter]

  const filters: Partial<Record<F, string>> = {}
  for (const filter of names) {
    const value = search[filter] ?? fallback(filter)
    if (value !== undefined && value !== '' && value !== off) filters[filter] = value
  }
  const printed = printSort(sort)
  const query = { ...filters, p: page, page_size: pageSize, ...(printed ? { sort: printed } : {}) } as TableQuery<F>
  return {
    name,
    page,
    pageSize,
    sort,
    filters,
    filtered: names.some((filter) => filters[filter] !== fallback(filter)),
    query,
    setPage: (next, how) => setSearch({ p: next === 1 ? undefined : String(next) }, how),
    setPageSize: (size) => {
      writeText(sizeKey, String(size))
      setSearch({ size: String(size), p: undefined })
    },
    setSort: (next) => setSearch({ sort: printSort(next), p: undefined }),
    setFilter: (filter, value) => {
      const text = value || (fallback(filter) === undefined ? undefined : off)
      setSearch({ [filter]: text === fallback(filter) ? undefined : text, p: undefined }, { replace: true })
    },
    clearFilters: () => setSearch({ ...Object.fromEntries(names.map((filter) => [filter, undefined])), p: undefined }),
  }
}
