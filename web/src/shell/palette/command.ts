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

/** Answers the keys that choose among the results. True where the key is one of them. */
export type ChooseByKey = (key: string) => boolean
