import { Resolver } from 'node:dns/promises'

/** Why no text could be read: there is none of that name, no server answered in time, or one refused to. */
export type TextFailure = 'missing' | 'silent' | 'refused'

export type FoundTexts =
  | { readonly texts: readonly string[] }
  | { readonly failure: TextFailure; readonly code: string }

/** Reads the TXT records of a name, anew each time; `signal` ends the wait for an answer. */
export type ReadTexts = (name: string, signal?: AbortSignal) => Promise<FoundTexts>

const timeoutMs = 3000
const tries = 2

const failureOf = (code: string): TextFailure => {
  if (code === 'ENOTFOUND' || code === 'ENODATA') return 'missing'
  return code === 'ETIMEOUT' || code === 'ECONNREFUSED' ? 'silent' : 'refused'
}

/** Asks these servers (addresses, with a port where it is not 53), or those of the system where there are none. */
export const openTextReader =
  (servers: readonly string[]): ReadTexts =>
  async (name, signal) => {
    const resolver = new Resolver({ timeout: timeoutMs, tries })
    const cancel = (): void => resolver.cancel()
    signal?.addEventListener('abort', cancel)
    if (servers.length > 0) resolver.setServers([...servers])
    try {
      // A long text comes in parts.
      return { texts: (await resolver.resolveTxt(name)).map((parts) => parts.join('')) }
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
      return { failure: failureOf(code), code }
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }
