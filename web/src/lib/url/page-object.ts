import { useEffect } from 'react'
import { createStore, useStore } from '../preferences/store.ts'

/** What the page and the sheets over it are about, the topmost last. */
const shown = createStore<readonly { name: string }[]>([])

/** Puts the name of what is shown before the page's own in the browser's title, for as long as it is shown. */
export const useTitleOf = (name: string | undefined): void => {
  useEffect(() => {
    if (name === undefined) return
    const entry = { name }
    shown.set([...shown.get(), entry])
    return () => shown.set(shown.get().filter((other) => other !== entry))
  }, [name])
}

export const useShownObject = (): string | undefined => useStore(shown).at(-1)?.name
