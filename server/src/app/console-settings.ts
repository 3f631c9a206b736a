import { optionRoutes } from '../features/options/routes.ts'
import { ratiosAfterReset } from '../features/pricing/reset-ratios.ts'
import { refusedRecordRoutes } from '../features/refused-records/routes.ts'
import { createReleases } from '../features/releases/releases.ts'
import { releaseRoutes } from '../features/releases/routes.ts'
import { systemRoutes } from '../features/system/routes.ts'
import type { On } from '../http/route.ts'
import { unixSeconds } from '../lib/clock.ts'
import { version } from '../config/version.ts'
import { ask } from '../relay/upstream/ask.ts'
import type { SharedParts } from './parts.ts'

/** Names that the banner of the console shows. */
const mostNeighbours = 20
const readTimeoutMs = 10_000
const mostBytes = 2 * 1024 * 1024

/** Joins what the settings screen calls: options, the facts of this node, the check for updates. */
export const joinSettings = (shared: SharedParts, on: On): void => {
  const { config, clock, options, database, logDatabase, upstream, operatorEgress, neighbours } = shared
  optionRoutes(on, options, () => ratiosAfterReset(shared.priceOptions()))
  systemRoutes(
    on,
    {
      version,
      start_time: unixSeconds(clock),
      node_name: config.nodeName,
      node_type: config.nodeIsSlave ? 'slave' : 'master',
      runtime: `Node ${process.version}`,
      database: database.engine,
      log_database: logDatabase === database ? null : logDatabase.engine,
      redis: config.redis !== undefined,
    },
    () => ({
      node: config.nodeName,
      serving: neighbours.stranger ?? '',
      refusing: neighbours.refusing.slice(0, mostNeighbours),
    }),
  )
  refusedRecordRoutes(on, {
    refused: shared.ledger.refused,
    nodeName: config.nodeName,
    audit: (entry) => shared.audit.record(entry),
  })
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
}
