import type { JoinModule } from '#server/app/modules/module-kit.ts'
import { version } from '#server/config/version.ts'
import { ask } from '#server/relay/upstream/ask.ts'
import { createReleases } from './releases.ts'
import { releaseRoutes } from './routes.ts'

const readTimeoutMs = 10_000
const mostBytes = 2 * 1024 * 1024

/** Joins the check for updates. */
export const join: JoinModule = ({ clock, options, upstream, operatorEgress, on }) => {
  const releases = createReleases({
    version,
    address: () => options.get('ReleaseListAddress'),
    egress: operatorEgress,
    // GitHub answers only those who say who they are.
    read: (url) =>
      ask(upstream, {
        url,
        headers: { 'user-agent': `tollgate/${version}` },
        proxy: '',
        timeoutMs: readTimeoutMs,
        maxBytes: mostBytes,
      }),
    clock,
  })
  releaseRoutes(on, releases)
  return {}
}
