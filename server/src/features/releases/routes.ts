import { checkReleases, type ReleaseCheck } from '@tollgate/contract'
import type { On } from '../../http/route.ts'

/** The check for updates (mission document 1 §7). */
export const releaseRoutes = (on: On, releases: { check(): Promise<ReleaseCheck> }): void => {
  on(checkReleases, async () => ({ data: await releases.check() }))
}
