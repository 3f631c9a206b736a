import { openCountFile } from '../relay/sessions/count-file.ts'
import { openSessionCounts, type SessionCounts } from '../relay/sessions/session-counts.ts'
import type { SharedParts } from './parts.ts'

/** Counts of running sessions, which a file of this worker brings over a restart. */
export const openStoredSessionCounts = ({ config, clock, bus, log }: SharedParts): SessionCounts =>
  openSessionCounts({
    clock,
    bus,
    file: openCountFile({ directory: config.dataDir, worker: config.worker, workers: config.workers, warn: log.warn }),
  })
