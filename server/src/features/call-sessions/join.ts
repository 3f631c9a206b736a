import type { FeatureKit } from '../../app/parts.ts'
import { namesOf } from '../../db/names/stored-names.ts'
import { openCountFile } from '../../relay/sessions/count-file.ts'
import { openSessionCounts, type SessionCounts } from '../../relay/sessions/session-counts.ts'
import { createCallSessions } from './call-sessions.ts'
import { callSessionRoutes } from './routes.ts'

/** Joins sessions of calls; answers the counts that the relay keeps of those that run. */
export const joinCallSessions = (kit: FeatureKit): SessionCounts => {
  const { config, clock, bus, log, database, relayOptions, on } = kit
  const counts = openSessionCounts({
    clock,
    bus,
    file: openCountFile({ directory: config.dataDir, worker: config.worker, workers: config.workers, warn: log.warn }),
  })
  const limitsByGroup = () => relayOptions().sessionLimits
  callSessionRoutes(on, createCallSessions({ ...kit, ...namesOf(database), limitsByGroup, counts }))
  return counts
}
