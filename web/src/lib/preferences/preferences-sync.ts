import { useEffect } from 'react'
import { ApiError, call } from '../api/api.ts'
import { calls, type PreferencesChange } from '../api/contract.ts'
import { useSession } from '../api/session.ts'
import { turnOfOthers } from '../loading/turns.ts'
import { notifyFailure } from '../notify.tsx'
import { preferencesStore } from './preferences.ts'

/** Several changes in a row, such as columns moved one by one, are sent together. */
const patienceMs = 500

const isNothing = (change: PreferencesChange): boolean => Object.keys(change).length === 0

/** True if the server may accept the same change later. */
const mayPass = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status === 401 || error.status >= 429

/** Asks for the preferences anew, e.g. because the shared views have changed. */
export const refreshPreferences = async (): Promise<void> => {
  preferencesStore.arrived(await call(calls.getPreferences))
}

/** Reads the preferences and sends changes from now on; the returned function stops that. */
export const syncPreferences = (): (() => void) => {
  let stopped = false
  let busy = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const send = async (): Promise<void> => {
    const { unsent } = preferencesStore.get()
    if (stopped || busy || isNothing(unsent)) return
    busy = true
    let passed = true
    try {
      await call(calls.changePreferences, { body: unsent })
      if (!stopped) preferencesStore.settled(unsent)
    } catch (error) {
      passed = false
      // A change that could not be sent is stored and sent with the next change, or at the next start.
      if (!stopped && !mayPass(error)) {
        preferencesStore.settled(unsent)
        if (error instanceof ApiError && error.code === 'preferences_full') notifyFailure(error)
      }
    }
    busy = false
    if (passed) soon()
  }

  const soon = (): void => {
    clearTimeout(timer)
    if (!stopped && !isNothing(preferencesStore.get().unsent)) timer = setTimeout(() => void send(), patienceMs)
  }

  const load = async (): Promise<void> => {
    try {
      await turnOfOthers()
      const all = await call(calls.getPreferences)
      if (!stopped) preferencesStore.arrived(all)
    } catch {
      // The console continues with the preferences stored in this browser.
    }
    soon()
  }

  void load()
  const unsubscribe = preferencesStore.subscribe(soon)
  addEventListener('online', soon)
  return () => {
    stopped = true
    clearTimeout(timer)
    unsubscribe()
    removeEventListener('online', soon)
  }
}

/** Keeps the signed-in user's preferences the same here and on the server. */
export const usePreferencesSync = (): void => {
  const id = useSession()?.id
  // The server, and the browser's own events.
  useEffect(() => (id === undefined ? undefined : syncPreferences()), [id])
}
