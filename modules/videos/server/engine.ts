import type { Database } from '#server/db/database.ts'
import type { DirectCalls } from '#server/gateway/module-calls.ts'
import type { JobEnds } from '#server/jobs/job-ends.ts'
import type { JobHooks } from '#server/jobs/job-hooks.ts'
import type { JobRunner } from '#server/jobs/runner.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { Bus } from '#server/lib/redis/bus.ts'
import type { GuardedDownload } from '#server/lib/security/guarded-download.ts'
import { type Holding, openHolding } from '#server/relay/provider-jobs/holding.ts'
import type { ProviderJobs } from '#server/relay/provider-jobs/provider-jobs.ts'
import { type Contents, openContents } from './content.ts'
import { openFollowing } from './follow.ts'
import { openNativeCalls } from './native/native-calls.ts'
import { videoRoutes } from './routes.ts'
import { openVideoStore, type VideoStore } from './store.ts'
import { openSubmissions } from './submit.ts'
import type { VideoRoute, VideoRow } from './video.ts'

export interface EngineParts {
  readonly database: Database
  readonly jobEnds: JobEnds
  readonly jobHooks: Pick<JobHooks, 'listen' | 'addressOf'>
  readonly bus: Pick<Bus, 'publish' | 'subscribe'>
  readonly clock: Clock
  /** Names this process among all that share the database. */
  readonly holder: string
  readonly download: GuardedDownload
  /** False where other processes ask the providers. */
  readonly isFollowing: boolean
  /** How often it looks for videos whose provider is to be asked; absent where it does not by itself. */
  readonly everyMs: number | undefined
  readonly log: (event: string, fields: Readonly<Record<string, unknown>>) => void
}

/** Parts that follow videos, once the gateway stands. */
export interface RunningVideos {
  readonly jobs: ProviderJobs
  readonly holding: Holding
  readonly following: JobRunner<VideoRow>
}

export interface VideoEngine {
  readonly store: VideoStore
  readonly routes: readonly VideoRoute[]
  readonly directCalls: DirectCalls
  readonly contents: Contents
  /** The gateway's part. Throws until it stands. */
  readonly jobs: () => ProviderJobs
  run(jobs: ProviderJobs): RunningVideos
  close(): Promise<void>
}

/** Kind of these jobs in the addresses at which providers call, and topic of notices that one of them is due. */
const jobKind = 'video'
const dueTopic = 'video_due'

/** The parts of this module, without the timers of a process. */
export const openVideoEngine = (parts: EngineParts): VideoEngine => {
  const { jobHooks, bus, clock, download, everyMs, log } = parts
  const store = openVideoStore(parts)
  const callbackUrl = (publicId: string): string | undefined => jobHooks.addressOf(jobKind, publicId)
  const submissions = openSubmissions({ store, callbackUrl, log })
  const contents = openContents({ store, download })
  let running: RunningVideos | undefined
  const jobs = (): ProviderJobs => {
    if (running === undefined) throw new Error('videos are served once the gateway stands')
    return running.jobs
  }
  jobHooks.listen(jobKind, async (publicId) => {
    const nudged = await store.nudge(publicId)
    if (nudged === 'due') bus.publish(dueTopic)
    return nudged !== 'unknown'
  })
  const stopListening = bus.subscribe(dueTopic, () => {
    if (parts.isFollowing) running?.following.wake()
  })
  const routeParts = { store, submissions, contents, jobs }
  const native = openNativeCalls({ ...routeParts, clock })
  return {
    store,
    contents,
    jobs,
    routes: [...videoRoutes(routeParts), ...native.routes],
    directCalls: native.direct,
    run(own) {
      const failed = (error: unknown): void => log('video_round_failed', { error })
      running = {
        jobs: own,
        holding: openHolding({ store: store.holds, held: own.held, holds: own.holds, clock }),
        following: openFollowing({ store, jobs: own, log, clock, failed, everyMs }),
      }
      return running
    },
    async close() {
      stopListening()
      await submissions.close()
      await running?.following.stop()
      await running?.holding.close()
    },
  }
}
