import type { TablePreferences } from '#web/components/data-table/preferences.ts'
import { type TableViews, useTableViews } from '#web/components/data-table/views/table-views.ts'
import { useSearchParams } from '#web/lib/url/search-params.ts'
import { builtInBoards } from './boards.tsx'
import { useExploreMessages } from './question/messages.ts'
import { boardNames } from './question/view.ts'

/** A chart has no columns. */
const noLayout: TablePreferences = {
  layout: { order: [], hidden: [], widths: {}, pins: {}, density: 'comfortable' },
  own: { order: [], hidden: [], widths: {}, pins: {}, density: 'comfortable' },
  keep: () => {},
  tryOut: () => {},
  showLayout: () => {},
}

/** Boards are the saved views of this page. */
export const useBoards = (mine: boolean): TableViews => {
  const say = useExploreMessages()
  const [search, setSearch] = useSearchParams()
  const view = Object.fromEntries(boardNames.flatMap((name) => (search[name] ? [[name, search[name]]] : [])))
  const state = {
    name: 'explore',
    view,
    showView: (next: Readonly<Record<string, string>>, how?: { replace?: boolean }) =>
      setSearch(Object.fromEntries(boardNames.map((name) => [name, next[name]])), how),
  }
  return useTableViews(state, noLayout, builtInBoards(say, mine))
}
