import type { SharedParts } from '../../app/parts.ts'
import { every } from '../../jobs/every.ts'
import { openMadeObjects } from './created-objects.ts'
import { openStoredObjects } from './stored-objects.ts'
import { openStoredResponses } from './stored-responses.ts'

const purgeEveryMs = 86_400_000

export interface StoredSide extends Pick<SharedParts, 'storedResponses' | 'storedObjects' | 'madeObjects'> {
  close(): Promise<void>
}

/** Joins what the relay remembers of answers and objects that providers store. */
export const joinStoredResponses = ({
  database,
  secrets,
  bus,
  clock,
  log,
}: Pick<SharedParts, 'database' | 'secrets' | 'bus' | 'clock' | 'log'>): StoredSide => {
  const warn = (message: string, error: unknown): void => log.warn(message, { error })
  const storedResponses = openStoredResponses({ database, secrets, clock, warn })
  const storedObjects = openStoredObjects({ database, secrets, bus, clock, warn })
  const madeObjects = openMadeObjects({ database, secrets, clock, warn })
  const all = [storedResponses, storedObjects, madeObjects]
  const stopPurging = every(
    purgeEveryMs,
    () => Promise.all(all.map(({ purge }) => purge())).then(() => undefined),
    (error) => log.warn('stored_response_cleanup_failed', { error }),
  )
  return {
    storedResponses,
    storedObjects,
    madeObjects,
    async close() {
      for (const stored of all) await stored.close()
      stopPurging()
    },
  }
}
