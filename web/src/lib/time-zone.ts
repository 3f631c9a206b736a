import { readText } from './storage.ts'
import { createStore, useStore } from './store.ts'

const isZone = (zone: string): boolean => {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

const stored = readText('time-zone')
const zoneStore = createStore<string | undefined>(stored !== null && isZone(stored) ? stored : undefined)

/** The zone in which times are shown; undefined is the browser's own. */
export const useTimeZone = (): string | undefined => useStore(zoneStore)

export const zoneName = (zone: string | undefined): string =>
  zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone
