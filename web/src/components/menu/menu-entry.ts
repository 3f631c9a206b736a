import type { IconName } from '../display/icon.tsx'

/** One entry of a menu. */
export interface MenuEntry {
  label: string
  icon?: IconName
  onClick?: () => void
  /** Address, for entries that are links. */
  to?: string
  danger?: boolean
  disabled?: boolean
  /** Why it is disabled, or what it does. */
  hint?: string
  /** The language of the label, where it is not the page's. */
  lang?: string
  /** For radio entries: true if this one is chosen. */
  current?: boolean
  /** For switches: true if on. */
  checked?: boolean
  /** Quiet words at the right. */
  note?: string
  /** A heading above this entry and the following ones. */
  group?: string
  /** Tells it from others with the same label. */
  id?: string | number
  /** Stands under a line. */
  apart?: boolean
}
