import { ownMember } from '@tollgate/contract/own-member'
import { useEffect, useEffectEvent } from 'react'
import { call } from '../../../lib/api/api.ts'
import { calls, type TableView } from '../../../lib/api/contract.ts'
import { preferencesStore, usePreferences } from '../../../lib/preferences/preferences.ts'
import { refreshPreferences } from '../../../lib/preferences/preferences-sync.ts'
import { useSearchParams } from '../../../lib/url/search-params.ts'
import type { TableState } from '../../../lib/url/table-state.ts'
import type { TablePreferences } from '../preferences.ts'

/** A view that a screen brings. */
export interface BuiltInView {
  readonly id: string
  readonly name: string
  readonly search: Readonly<Record<string, string>>
}

export type ViewKind = 'builtIn' | 'own' | 'shared'

export interface KnownView extends BuiltInView {
  readonly kind: ViewKind
  readonly layout?: TableView['layout']
}

export interface TableViews {
  readonly all: readonly KnownView[]
  /** The view whose filters and order are shown; undefined if they are no view's. */
  readonly current: KnownView | undefined
  readonly defaultId: string | undefined
  readonly show: (view: KnownView) => void
  /** Makes it the view that the table opens with; undefined none. */
  readonly setDefault: (id: string | undefined) => void
  /** Saves the shown filters and order as a view; replaces a view of this kind with the same name. Rejects when sharing fails. */
  readonly save: (name: string, how: { layout: boolean; shared: boolean }) => Promise<void>
  /**
   * Renames a saved view, shares it or takes it back, or gives it the shown filters and order. Its id stays, and so what opens
   * with it. Rejects when sharing fails.
   */
  readonly edit: (view: KnownView, next: { name: string; shared: boolean; asShown: boolean }) => Promise<void>
  readonly remove: (view: KnownView) => Promise<void>
}

const isSame = (left: BuiltInView['search'], right: BuiltInView['search']): boolean => {
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => ownMember(left, name) === ownMember(right, name))
  )
}

const newId = (): string => crypto.getRandomValues(new Uint32Array(2)).join('-')

const shareViews = async (views: Record<string, TableView | null>): Promise<void> => {
  await call(calls.shareViews, { body: { views } })
  await refreshPreferences()
}

/** The views of a table: those that the screen brings, one's own, and those that administrators share. */
export const useTableViews = (
  state: Pick<TableState, 'name' | 'view' | 'showView'>,
  preferences: TablePreferences,
  builtIn: readonly BuiltInView[],
): TableViews => {
  const { views, shared_views, default_views } = usePreferences()
  const [address] = useSearchParams()
  const ofTable = (kept: Readonly<Record<string, TableView>>, kind: ViewKind): KnownView[] =>
    Object.entries(kept)
      .filter(([, view]) => view.table === state.name)
      .map(([id, { name, search, layout }]) => ({ id, name, search, kind, layout }))
      .toSorted((left, right) => left.name.localeCompare(right.name))
  const all: KnownView[] = [
    ...builtIn.map((view) => ({ ...view, kind: 'builtIn' as const })),
    ...ofTable(views, 'own'),
    ...ofTable(shared_views, 'shared'),
  ]
  const defaultId = ownMember(default_views, state.name)
  const show = (view: KnownView, how?: { replace: boolean }): void => {
    state.showView(view.search, how)
    preferences.showLayout(view.layout)
  }
  const openDefault = useEffectEvent(() => {
    const view = all.find(({ id }) => id === defaultId)
    // An address with filters wins over the default view, so that a link shows the same to everybody.
    if (view && Object.keys(address).length === 0) show(view, { replace: true })
  })
  // The address, when the table is opened.
  useEffect(() => openDefault(), [])
  return {
    all,
    current: all.find(({ search }) => Object.keys(search).length > 0 && isSame(search, state.view)),
    defaultId,
    show,
    setDefault: (id) => preferencesStore.change({ default_views: { [state.name]: id ?? null } }),
    save: async (name, { layout, shared }) => {
      const kind = shared ? 'shared' : 'own'
      const id = all.find((view) => view.kind === kind && view.name === name)?.id ?? newId()
      const plainView = { table: state.name, name, search: { ...state.view } }
      const view: TableView = layout ? { ...plainView, layout: preferences.layout } : plainView
      if (shared) await shareViews({ [id]: view })
      else preferencesStore.change({ views: { [id]: view } })
    },
    edit: async ({ id, kind, search, layout }, { name, shared, asShown }) => {
      const plainView = { table: state.name, name, search: { ...(asShown ? state.view : search) } }
      const view: TableView = layout ? { ...plainView, layout } : plainView
      if (shared || kind === 'shared') await shareViews({ [id]: shared ? view : null })
      if (!shared || kind === 'own') preferencesStore.change({ views: { [id]: shared ? null : view } })
    },
    remove: async ({ id, kind }) => {
      if (id === defaultId) preferencesStore.change({ default_views: { [state.name]: null } })
      if (kind === 'shared') await shareViews({ [id]: null })
      else preferencesStore.change({ views: { [id]: null } })
    },
  }
}
