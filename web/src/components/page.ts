import { type AnyRoute, useRouter } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { StaffArea, StatusFlag } from '../lib/api/contract.ts'
import type { Pair } from '../lib/i18n.ts'
import type { FirstRead } from '../lib/loading/read-ahead.ts'
import type { IconName } from './display/icon.tsx'

/** The screen of a page, and its first reads. */
export type LoadedPage = Promise<{ readonly Screen: ComponentType; readonly firstRead?: FirstRead }>

/** The place of a page in the sidebar. */
export interface SidebarPlace {
  readonly group: 'groupOverview' | 'groupUse' | 'groupActivity' | 'groupMoney' | 'groupSite'
  /** Within the group, the lowest first; of a tab, within its family. */
  readonly position: number
  readonly icon: IconName
  /** Letter after `g`. */
  readonly shortcut?: string
  /** Shown only while the site has this switched on; `organisations` to administrators and to those who belong to one. */
  readonly flag?: StatusFlag | 'organisations'
  /** Name of the entry where it is not the title of the page: that of the first page of a family stands for all of its tabs. */
  readonly name?: Pair
  /** Path of the first page of a family: this page is a tab above the pages of the family, in place of an entry. */
  readonly tabOf?: `/${string}`
  /**
   * Path of the first page of another family, which this page leads: the pages of that family become its tabs, and its entry takes the
   * place of theirs. A start page leads the family that has it without this page.
   */
  readonly leads?: `/${string}`
  /** Of a tab that is left out while its list is empty: true if the list has anything for the reader. */
  readonly hasRows?: () => Promise<boolean>
}

/** A page of the console, as its folder describes it in `page.ts`. */
export interface ConsolePage {
  /** `$name` matches one segment of any text, `$` at the end all that follows. */
  readonly path: `/${string}`
  /** `bare` pages have no shell; all others are drawn in the shell, for everyone, for users, for administrators, or for root. */
  readonly access: 'bare' | 'everyone' | 'signed_in' | 'admin' | 'root'
  /** Of administrators' pages: only those whose permissions open this area see it. */
  readonly area?: StaffArea
  readonly title: Pair
  /** Its place in the sidebar; absent for pages that are reached from others. */
  readonly sidebar?: SidebarPlace
  /** Further words, in any language, by which the palette finds the page. */
  readonly keywords?: string
  /** Screens that lead to the page beside the sidebar. */
  readonly leadsFrom?: {
    /** Buttons with the page's title above other pages, by their paths. */
    readonly pages?: readonly `/${string}`[]
    /** It answers questions about figures (`FigureLink`): lists, pages of keys, users, channels and models, the log and the dashboard lead to it. */
    readonly figures?: true
    /** It answers questions about figures (`FigureLink`): lists, pages of keys, users, channels and models, the log and the dashboard lead to it. */
    readonly candidates?: Pair
    /** Loads what stands beside the first steps of a site without channels; shown to root. */
    readonly firstSteps?: () => Promise<ComponentType>
  }
  /** The page that opens after signing in, unless another one was asked for; the list of keys where no page says so. */
  readonly isStart?: true
  /** The page is a list whose `keyword` in the address is a name or an id: the palette offers to search in it. */
  readonly isSearched?: true
  /** Addresses below the page whose sheets the page draws itself, so that the list stays drawn. */
  readonly sheets?: readonly `/${string}`[]
  /**
   * `firstRead` lists the screen's first reads, so that they can be prefetched while the pointer is on a link, and begun
   * before the console is there. A screen whose queries are not those of `useEndpoint` exports `earlyRead` instead, which
   * does the latter only.
   */
  load(): LoadedPage
}

/** A page that another screen leads to. */
type PageLead = Pick<ConsolePage, 'path' | 'title'> & Required<Pick<ConsolePage, 'leadsFrom'>>

/** Pages that other screens lead to, from the router's own table: a screen names none of them. */
export const usePageLeads = (): readonly PageLead[] =>
  Object.values<AnyRoute>(useRouter().routesByPath).flatMap(({ fullPath, options }) => {
    const { title, leadsFrom } = options.staticData ?? {}
    return title && leadsFrom ? [{ path: fullPath, title, leadsFrom }] : []
  })

/** Path of the page that opens after signing in, in a table of routes by their paths. */
export const startPathIn = (routes: Readonly<Record<string, AnyRoute>>): string => {
  const start = Object.values(routes).find(({ options }) => options.staticData?.isStart)
  return start?.fullPath ?? (Object.hasOwn(routes, '/token') ? '/token' : '/personal')
}

/** The same in the router's own table. */
export const useStartPath = (): string => startPathIn(useRouter().routesByPath)

/** Pages that have a button above the page with this path. */
export const usePageLeadsAbove = (path: `/${string}`): readonly PageLead[] =>
  usePageLeads().filter(({ leadsFrom }) => leadsFrom.pages?.includes(path))
