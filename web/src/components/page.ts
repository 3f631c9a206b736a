import type { ComponentType } from 'react'
import type { StaffArea } from '../lib/api/contract.ts'
import type { Pair } from '../lib/i18n.ts'
import type { FirstRead } from '../lib/loading/read-ahead.ts'
import type { IconName } from './display/icon.tsx'

/** The screen of a page, and its first reads. */
export type LoadedPage = Promise<{ readonly Screen: ComponentType; readonly firstRead?: FirstRead }>

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
  readonly sidebar?: {
    readonly group: 'groupChat' | 'groupConsole' | 'groupAdmin' | 'groupPersonal'
    /** Within the group, the lowest first. */
    readonly position: number
    readonly icon: IconName
    /** Letter after `g`. */
    readonly shortcut: string
    /** Shown only while the site has this switched on; `organisations` to those who belong to one. */
    readonly flag?: 'enable_data_export' | 'enable_drawing' | 'enable_task' | 'organisations'
  }
  /** Screens that lead to the page beside the sidebar. */
  readonly leadsFrom?: {
    /** A button of the settings with the page's title, for root alone or for all who see the settings. */
    readonly settings?: 'admin' | 'root'
    /** Buttons with the page's title above other pages, by their paths. */
    readonly pages?: readonly `/${string}`[]
    /** Words of a link beside the channels that could have got a call; it opens the tab `explain` for its model and group. */
    readonly candidates?: Pair
    /** Loads what stands beside the first steps of a site without channels; shown to root. */
    readonly firstSteps?: () => Promise<ComponentType>
  }
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
