import { useEffect } from 'react'
import { createStore, useStore } from '../preferences/store.ts'

/** The objects of the page and of the sheets over it, the topmost last. */
const shown = createStore<readonly { name: string }[]>([])

/** Puts an object's name before the page's title in the browser, while the object is shown. */
export const useTitleOf = (name: string | undefined): void => {
  useEffect(() => {
    if (name === undefined) return
    const entry = { name }
    shown.set([...shown.get(), entry])
    return () => shown.set(shown.get().filter((other) => other !== entry))
  }, [name])
}

export const useShownObject = (): string | undefined => useStore(shown).at(-1)?.name
