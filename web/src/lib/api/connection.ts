import { createStore } from '../preferences/store.ts'

/** Whether the latest request reached the server; false from the first that did not until one does. */
export const connectionStore = createStore(globalThis.navigator?.onLine !== false)

/** Asks the server for a sign of life; whatever it answers is one. */
export const lookForServer = async (): Promise<void> => {
  try {
    await fetch('/api/status', { cache: 'no-store' })
    connectionStore.set(true)
  } catch {
    connectionStore.set(false)
  }
}

/** Resolves when the server is reached again. */
export const whenConnected = (): Promise<void> =>
  new Promise((resolve) => {
    const stop = connectionStore.subscribe(() => {
      if (!connectionStore.get()) return
      stop()
      resolve()
    })
  })
