import type { LedgerPage } from '../../lib/api/contract.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { type TableState, useTableState } from '../../lib/url/table-state.ts'

const filters = ['account', 'reason'] as const
export type LedgerFilterName = (typeof filters)[number]

const newest = { p: undefined, before: undefined, after: undefined }

/**
 * The state of a table whose pages are addressed by entry id (`before`, `after`), so that new entries do not shift a
 * page. The page number in the address is only for the reader.
 */
export const useLedgerPages = () => {
  const [search, setSearch] = useSearchParams()
  const state = useTableState({ name: 'ledger', filters })
  const { before, after } = search
  const query = {
    page_size: state.pageSize,
    account: state.filters.account === 'aff' ? ('aff' as const) : ('user' as const),
    ...(state.filters.reason ? { reason: state.filters.reason } : {}),
    ...(before ? { before } : {}),
    ...(after ? { after } : {}),
  }

  const stateOver = (page: LedgerPage | undefined): TableState<LedgerFilterName> => ({
    ...state,
    stepwise: true,
    setPage(next) {
      const edge = next > state.page ? page?.items.at(-1)?.id : page?.items[0]?.id
      if (next <= 1 || edge === undefined) return setSearch(newest)
      const p = String(next)
      if (next > state.page) setSearch({ p, before: String(edge), after: undefined })
      else setSearch({ p, after: String(edge), before: undefined })
    },
    setPageSize(size) {
      state.setPageSize(size)
      setSearch({ ...newest, size: String(size) }, { replace: true })
    },
    setFilter: (filter, value) => setSearch({ ...newest, [filter]: value }, { replace: true }),
    clearFilters: () => setSearch({ ...newest, account: undefined, reason: undefined }),
  })
  return { query, stateOver }
}
