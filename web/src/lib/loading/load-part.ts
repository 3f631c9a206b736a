import { connectionStore, lookForServer, whenConnected } from '../api/connection.ts'
import { createStore } from '../preferences/store.ts'

/** Code or styles of the console that did not come: the line is down, or a new version has replaced them. */
export class PartMissing extends Error {
  override readonly name = 'PartMissing'
}

/** The words of browsers, and of the bundler for styles. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|module script failed|Unable to preload CSS|Failed to fetch/i.test(error.message)

const retryAfterMs = 300

/** Loads a part of the console, twice where its files did not come. Throws PartMissing where they still do not. */
export const loadPart = async <Part>(load: () => Promise<Part>): Promise<Part> => {
  try {
    return await load()
  } catch (cause) {
    if (!isMissing(cause)) throw cause
  }
  await new Promise((resolve) => setTimeout(resolve, retryAfterMs))
  try {
    return await load()
  } catch (cause) {
    throw isMissing(cause) ? new PartMissing('part missing', { cause }) : cause
  }
}

/** True if a new version has replaced files that this page still needs; the bar above the page offers to reload it. */
export const outdatedStore = createStore(false)

/**
 * Loads what opens on a page in use, whose edits must outlast a part that does not come: it waits for the server, and
 * where that answers without the files, the page stays as it is and the part never comes.
 */
export const loadInPlace = async <Part>(load: () => Promise<Part>): Promise<Part> => {
  for (let wasThere = false; ; ) {
    try {
      return await loadPart(load)
    } catch (error) {
      if (!(error instanceof PartMissing)) throw error
    }
    await lookForServer()
    const isThere = connectionStore.get()
    // The server may have come back between the two: only files that it does not have although it is there are gone.
    if (wasThere && isThere) {
      outdatedStore.set(true)
      return new Promise(() => {})
    }
    if (!isThere) await whenConnected()
    wasThere = isThere
  }
}

const reloadedKey = 'console-reloaded-at'
/** A page that is still incomplete after a reload stays as it is: the next would not help either. */
const patienceMs = 60_000

/** Reloads the page at its address, but not twice in a minute. Returns false where it did lately. */
export const reloadOnce = (): boolean => {
  const now = Date.now()
  if (now - Number(sessionStorage.getItem(reloadedKey) ?? 0) < patienceMs) return false
  sessionStorage.setItem(reloadedKey, String(now))
  location.reload()
  return true
}
