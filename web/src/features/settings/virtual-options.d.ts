declare module 'virtual:options' {
  import type { BilingualText, Control, Option, Tab } from '@tollgate/contract'

  /** An option as it is drawn (build/options-module.ts). A flag that is absent is false. */
  export interface OptionFacts {
    readonly control: Control
    readonly label: BilingualText
    readonly unit?: string
    readonly min?: number
    readonly max?: number
    readonly secret?: true
    readonly hidden?: true
    readonly inert?: true
    readonly see: number
    readonly write: number
    readonly status?: string
    /** It can only be switched on while other options hold something. */
    readonly needsOthers?: true
    /** The default as text; absent for tables. */
    readonly standard?: string
  }

  export interface SectionFacts {
    readonly name: string
    readonly tab: Tab
    readonly title: BilingualText
    readonly options: Readonly<Record<string, OptionFacts>>
  }

  /** Texts of the sections and options of one tab. */
  export interface TabWords {
    readonly notes: Readonly<Record<string, BilingualText>>
    readonly options: Readonly<Record<string, Pick<Option, 'help' | 'choices' | 'risk'>>>
  }

  export const tabs: readonly { readonly tab: Tab; readonly title: BilingualText }[]
  export const sections: readonly SectionFacts[]
  export const loadWords: Readonly<Record<Tab, () => Promise<{ readonly words: TabWords }>>>
}

declare module 'virtual:options/help' {
  import type { BilingualText } from '@tollgate/contract'

  /** The help of all options by key, for the search. */
  export const help: Readonly<Record<string, BilingualText | undefined>>
}
