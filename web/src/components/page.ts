import type { ComponentType } from 'react'
import type { Language } from '../lib/i18n.ts'
import type { FirstRead } from '../lib/loading/read-ahead.ts'
import type { IconName } from './display/icon.tsx'

/** The screen of a page, and what it reads first. */
export type LoadedPage = Promise<{ readonly Screen: ComponentType; readonly firstRead?: FirstRead }>

/** A page of the console, as its folder describes it in `page.ts`. */
export interface Page {
  /** `$name` stands for one part of any text. */
  readonly path: `/${string}`
  /** `bare` pages stand alone; all others stand in the shell, for everyone, for users, or for administrators. */
  readonly access: 'bare' | 'everyone' | 'signed_in' | 'admin'
  readonly title: Readonly<Record<Language, string>>
  /** Where it stands in the sidebar; absent for pages that are reached from others. */
  readonly sidebar?: {
    readonly group: 'groupChat' | 'groupConsole' | 'groupAdmin' | 'groupPersonal'
    readonly icon: IconName
    /** Letter after `g`. */
    readonly shortcut: string
    /** Shown only while the site has this switched on. */
    readonly flag?: 'enable_data_export' | 'enable_drawing' | 'enable_task'
  }
  /** Addresses below the page whose sheets it draws itself: the list stays where it is. */
  readonly sheets?: readonly `/${string}`[]
  /** `firstRead` says what the screen reads first, so that it can be read while somebody points at a link. */
  load(): LoadedPage
}
