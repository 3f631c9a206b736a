import { loadWords, type TabWords } from 'virtual:options'
import { useEffect, useReducer } from 'react'
import type { Tab } from '../../lib/api/contract.ts'
import { loadInPlace } from '../../lib/loading/load-part.ts'

const asked = new Map<Tab, Promise<TabWords>>()
const loaded = new Map<Tab, TabWords>()

/** Fetches what the sections and options of a tab say, once. */
export const fetchWords = (tab: Tab): Promise<TabWords> => {
  const known = asked.get(tab)
  if (known) return known
  const words = loadInPlace(loadWords[tab]).then((file) => {
    loaded.set(tab, file.words)
    return file.words
  })
  asked.set(tab, words)
  return words
}

/**
 * True once the texts of all these tabs are loaded; draws again then. A screen that waits by this instead of suspending is drawn at once when
 * the texts come: React delays what has suspended, and begins anew when more of it is drawn meanwhile.
 */
export const useHasWords = (tabs: readonly Tab[]): boolean => {
  const [, drawAgain] = useReducer((count: number) => count + 1, 0)
  const has = tabs.every((tab) => loaded.has(tab))
  useEffect(() => {
    let gone = false
    if (!has)
      void Promise.all(tabs.map(fetchWords)).then(() => {
        if (!gone) drawAgain()
      })
    return () => {
      gone = true
    }
  }, [tabs, has])
  return has
}

const none: TabWords = { notes: {}, options: {} }

/** Texts of the sections and options of a tab; empty until they are loaded. */
export const wordsOf = (tab: Tab): TabWords => loaded.get(tab) ?? none
