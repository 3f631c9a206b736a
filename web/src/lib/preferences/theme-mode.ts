import { readText, writeText } from './storage.ts'
import { createStore, useStore } from './store.ts'

export type ThemeMode = 'system' | 'light' | 'dark'
export type Scheme = 'light' | 'dark'

const modeOf = (text: string | null): ThemeMode => (text === 'light' || text === 'dark' ? text : 'system')
const prefersDark = globalThis.matchMedia?.('(prefers-color-scheme: dark)')

const themeModeStore = createStore<ThemeMode>(modeOf(readText('theme-mode')))
const schemeOf = (mode: ThemeMode): Scheme => (mode === 'system' ? (prefersDark?.matches ? 'dark' : 'light') : mode)
const schemeStore = createStore<Scheme>(schemeOf(themeModeStore.get()))

/** The scheme in force, following the system where the person chose to. */
export const useScheme = (): Scheme => useStore(schemeStore)
export const useThemeMode = (): ThemeMode => useStore(themeModeStore)

const paint = (): void => {
  const scheme = schemeOf(themeModeStore.get())
  schemeStore.set(scheme)
  const root = document.documentElement
  root.setAttribute('data-mantine-color-scheme', scheme)
  if (scheme === 'dark') root.setAttribute('theme-mode', 'dark')
  else root.removeAttribute('theme-mode')
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', scheme === 'dark' ? '#14181c' : '#ffffff')
}
prefersDark?.addEventListener('change', paint)

export const setThemeMode = (mode: ThemeMode): void => {
  writeText('theme-mode', mode)
  themeModeStore.set(mode)
  paint()
}
