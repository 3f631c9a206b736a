/** Code or styles of the console that did not come: the line is down, or a new version has replaced them. */
export class PartMissing extends Error {
  override readonly name = 'PartMissing'
}

/** The words of browsers, and of the bundler for styles. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|module script failed|Unable to preload CSS|Failed to fetch/i.test(error.message)

/** Loads a part of the console. Throws PartMissing where its files did not come. */
export const loadPart = async <Part>(load: () => Promise<Part>): Promise<Part> => {
  try {
    return await load()
  } catch (cause) {
    throw isMissing(cause) ? new PartMissing('part missing', { cause }) : cause
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
