import type { ReleaseCheck } from '@tollgate/contract'
import { AppError } from '#server/lib/app-error.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { EgressGuard } from '#server/lib/security/egress.ts'
import { isNewer, newestIn, type Release } from './newest.ts'

export interface ReleaseParts {
  readonly version: string
  /** The release list; empty when none is set. */
  address(): string
  /** For addresses that operators typed. */
  readonly egress: Pick<EgressGuard, 'check'>
  /** Reads a web address; rejects when it cannot be reached. */
  read(address: string): Promise<{ status: number; text: string }>
  readonly clock: Clock
}

const keepMs = 10 * 60_000

/** Asks the release list for the newest version, at most once in ten minutes; a failure is asked again. */
export const createReleases = (parts: ReleaseParts): { check(): Promise<ReleaseCheck> } => {
  let cached: { readonly address: string; readonly at: number; readonly release: Promise<Release | null> } | undefined

  const ask = async (address: string): Promise<Release | null> => {
    try {
      await parts.egress.check(address)
      const { status, text } = await parts.read(address)
      if (status !== 200) throw new Error(`the release list answers with status ${status}`)
      return newestIn(text)
    } catch (cause) {
      throw new AppError('releases_failed', { cause })
    }
  }

  const newestAt = (address: string): Promise<Release | null> => {
    const now = parts.clock()
    if (cached !== undefined && cached.address === address && now - cached.at < keepMs) return cached.release
    const entry = { address, at: now, release: ask(address) }
    cached = entry
    entry.release.catch(() => {
      if (cached === entry) cached = undefined
    })
    return entry.release
  }

  return {
    async check() {
      const { version: current } = parts
      const address = parts.address()
      if (address === '') return { configured: false, current, newer: false, newest: null }
      const newest = await newestAt(address)
      return { configured: true, current, newer: newest !== null && isNewer(newest.tag, current), newest }
    },
  }
}
