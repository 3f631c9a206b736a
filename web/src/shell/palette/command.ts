import type { IconName } from '../../components/display/icon.tsx'

export interface Command {
  id: string
  label: string
  icon: IconName
  hint?: string
  /** Further words that find it. */
  keywords?: string
  run: () => void
  /** Goes on with this text in place of closing. */
  fill?: string
}
