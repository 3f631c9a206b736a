import { type CountFileParts, openCountFile } from './count-file.ts'
import { openSessionCounts, type SessionCounts, type SessionCountsParts } from './session-counts.ts'

/** The parts of a node that its counts of sessions need. */
interface StoredCountsParts extends Pick<SessionCountsParts, 'clock' | 'bus'> {
  readonly config: Pick<CountFileParts, 'worker' | 'workers'> & { readonly dataDir: string }
  readonly log: { readonly warn: CountFileParts['warn'] }
}

/** Counts of running sessions, which a file of this worker keeps over a restart. */
export const openStoredSessionCounts = ({ config, clock, bus, log }: StoredCountsParts): SessionCounts => {
  const { dataDir: directory, worker, workers } = config
  return openSessionCounts({
    clock,
    ...(bus && { bus }),
    file: openCountFile({ directory, worker, workers, warn: log.warn }),
  })
}
