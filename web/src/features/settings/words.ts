import { loadWords, type TabWords } from 'virtual:options'
import { use } from 'react'
import type { Tab } from '../../lib/api/contract.ts'
import { loadInPlace } from '../../lib/loading/load-part.ts'

const byTab = new Map<Tab, Promise<TabWords>>()

/** Fetches what the sections and options of a tab say, once. */
export const fetchWords = (tab: Tab): Promise<TabWords> => {
  const known = byTab.get(tab)
  if (known) return known
  const words = loadInPlace(loadWords[tab]).then((file) => file.words)
  byTab.set(tab, words)
  return words
}

/** What the sections and options of a tab say; suspends until it is there. */
export const useWords = (tab: Tab): TabWords => use(fetchWords(tab))
