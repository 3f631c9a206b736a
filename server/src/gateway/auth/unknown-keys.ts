import { createBoundedCache } from '../../lib/caches/bounded-cache.ts'
import { limitKey } from '../../lib/security/client-address.ts'

/** Keys that one address may have looked up in vain within a minute; more than that are guesses. */
const mostUnknown = 60
const windowMs = 60_000
const mostAddresses = 20_000

/** Counts keys per address that were looked up in the database and do not exist. */
export interface UnknownKeys {
  /** True where keys of this address are no longer looked up, but only compared with those in memory. */
  isExhausted(ip: string, now: number): boolean
  /** Counts a look-up that began. */
  began(ip: string, now: number): void
  /** Takes back a look-up that found its key. */
  found(ip: string): void
}

export const openUnknownKeys = (): UnknownKeys => {
  const counts = createBoundedCache<string, { count: number; until: number }>({ entries: mostAddresses })

  return {
    isExhausted(ip, now) {
      // Nearly always nothing is counted, and then no address need be read.
      if (counts.size === 0) return false
      const entry = counts.get(limitKey(ip))
      return entry !== undefined && entry.until > now && entry.count >= mostUnknown
    },
    began(ip, now) {
      const address = limitKey(ip)
      const entry = counts.get(address)
      if (entry !== undefined && entry.until > now) {
        entry.count += 1
        return
      }
      counts.set(address, { count: 1, until: now + windowMs })
    },
    found(ip) {
      const address = limitKey(ip)
      const entry = counts.get(address)
      if (entry === undefined) return
      entry.count -= 1
      if (entry.count <= 0) counts.delete(address)
    },
  }
}
