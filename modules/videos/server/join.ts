import type { JoinModule } from '#server/app/modules/module-kit.ts'
import { namesOf } from '#server/db/names/stored-names.ts'
import { openOrganisationReaders } from '#server/features/organisations/scopes.ts'
import { every } from '#server/jobs/every.ts'
import { createEgressGuard } from '#server/lib/security/egress.ts'
import { createGuardedDownload } from '#server/lib/security/guarded-download.ts'
import { videoConsole } from './console/routes.ts'
import { createVideoReads } from './console/video-reads.ts'
import { openVideoEngine } from './engine.ts'

/** How often a process says what it holds, and looks for videos whose provider is to be asked. */
const holdEveryMs = 30_000
const lookEveryMs = 3_000
const purgeEveryMs = 3_600_000
const downloadIdleMs = 60_000

/** Joins videos: the calls of clients, and what follows each video to its end. */
export const join: JoinModule = (kit) => {
  const { config, database, clock, log, audit, on, jobEnds, jobFigures, jobHooks, bus } = kit
  const note = (event: string, fields: Readonly<Record<string, unknown>>): void => log.warn(event, fields)
  const failed = (error: unknown): void => note('video_round_failed', { error })
  const engine = openVideoEngine({
    database,
    jobEnds,
    jobHooks,
    bus,
    clock,
    holder: config.nodeName,
    download: createGuardedDownload(createEgressGuard({ allow: config.egressAllow }), { timeoutMs: downloadIdleMs }),
    isFollowing: !config.isSlave,
    everyMs: config.isSlave ? undefined : lookEveryMs,
    log: note,
  })
  jobFigures.add('video', engine.store.openJobs)
  videoConsole(on, {
    reads: createVideoReads({ database, names: namesOf(database) }),
    store: engine.store,
    contents: engine.contents,
    jobs: engine.jobs,
    audit,
    organisationTasks: openOrganisationReaders(database).organisationTasks,
  })
  const stops: (() => void)[] = []
  let round: Promise<void> = Promise.resolve()
  return {
    calls: engine.routes,
    directCalls: engine.directCalls,
    useGateway({ openProviderJobs }) {
      const { holding } = engine.run(openProviderJobs())
      round = holding.resume().catch(failed)
      stops.push(every(holdEveryMs, () => (round = holding.tick().catch(failed)), failed))
      if (!config.isSlave) stops.push(every(purgeEveryMs, engine.store.purge, failed))
    },
    async close() {
      for (const stop of stops) stop()
      await round
      await engine.close().catch(failed)
    },
  }
}
