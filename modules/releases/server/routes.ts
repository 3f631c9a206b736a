import { checkReleases, type ReleaseCheck } from '@tollgate/contract'
import type { On } from '#server/http/route.ts'

/** The check for updates. */
export const releaseRoutes = (on: On, releases: { check(): Promise<ReleaseCheck> }): void => {
  on(checkReleases, async () => ({ data: await releases.check() }))
}
