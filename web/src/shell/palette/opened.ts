import { createStore } from '../../lib/preferences/store.ts'

/** Which of the two dialogs over the console is open. */
export const opened = createStore<'palette' | 'sheet' | undefined>(undefined)
export const openPalette = (): void => opened.set('palette')
export const openShortcutSheet = (): void => opened.set('sheet')
export const closeOpened = (): void => opened.set(undefined)
