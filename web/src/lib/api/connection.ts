import { createStore } from '../preferences/store.ts'
import { belowBase } from '../url/page-paths.ts'

/** True if the latest request reached the server; false from the first failed one until one succeeds. */
export const connectionStore = createStore(globalThis.navigator?.onLine !== false)

/** True if the server itself has answered: a proxy that does not reach it answers with a page of its own. */
export const isFromServer = ({ status, headers }: Response): boolean =>
  status < 502 || headers.get('content-type')?.includes('json') === true

/** Asks the server for a sign of life; whatever it answers is one. */
export const lookForServer = async (): Promise<void> => {
  try {
    connectionStore.set(isFromServer(await fetch(belowBase('/api/status'), { cache: 'no-store' })))
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
