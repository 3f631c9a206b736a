import type { JoinModule } from '#server/app/modules/module-kit.ts'
import { namesOf } from '#server/db/names/stored-names.ts'
import { openOrganisationReaders } from '#server/features/organisations/scopes.ts'
import { every } from '#server/jobs/every.ts'
import { openBackground } from './background.ts'
import { createBackgroundReads } from './console/background-reads.ts'
import { backgroundConsole } from './console/routes.ts'
import { openEventStore } from './events/event-store.ts'
import { openBackgroundStore } from './store.ts'

/** Between looks for responses that another process has left. */
const everyMs = 10_000
const purgeEveryMs = 3_600_000

/** Joins responses in the background: what the gateway queues, the jobs that make them, and the calls of the console. */
export const join: JoinModule = (kit) => {
  const { config, database, secrets, clock, bus, log, audit, on, storedObjects, relayOptions, jobEnds, jobFigures } =
    kit
  const failed = (error: unknown): void => log.warn('background_answer_failed', { error })
  const events = openEventStore({ database, secrets, clock })
  const store = openBackgroundStore({ database, secrets, clock })
  jobFigures.add('response', store.openJobs)
  const background = openBackground({
    store,
    events,
    storedObjects,
    bus,
    async ended(end) {
      await jobEnds.write(database.query, end)
      jobEnds.ended(end)
    },
    days: () => relayOptions().storage.days,
    clock,
    everyMs,
    failed,
  })
  backgroundConsole(on, {
    reads: createBackgroundReads({ database, store, names: namesOf(database) }),
    store,
    background,
    storedObjects,
    audit,
    organisationTasks: openOrganisationReaders(database).organisationTasks,
  })
  const stopPurging = config.isSlave ? () => {} : every(purgeEveryMs, events.purge, failed)
  return {
    background,
    useGateway: ({ ownCalls, deadlines }) => background.useCalls(ownCalls, deadlines),
    async close() {
      stopPurging()
      await background.close()
    },
  }
}
