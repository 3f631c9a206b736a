import type { NamedJob, NamedJobs } from '../../jobs/named-jobs.ts'
import { type JobRunner, type JobTimes, openJobRunner } from '../../jobs/runner.ts'
import type { TaskPlatform } from '../../providers/dialects/tasks.ts'
import type { OpenTasks } from './open-tasks.ts'
import type { Refresh } from './refresh.ts'

/** How often upstreams are asked after their tasks. */
const pollEverySeconds = 15
const aliveEveryMs = 30_000

const pageSize = 500

interface PollJob extends NamedJob {
  readonly platform: TaskPlatform
}

export const pollJobs: readonly PollJob[] = [
  { id: 'drawing-poll', platform: 'midjourney', everySeconds: pollEverySeconds },
  { id: 'task-poll', platform: 'suno', everySeconds: pollEverySeconds },
]

export interface PollParts extends JobTimes {
  readonly jobs: NamedJobs
  readonly tasks: OpenTasks
  readonly refresh: Refresh
}

/** Asks after all tasks that are under way, once per period whatever number of nodes there are. */
export const openPoll = ({ jobs, tasks, refresh, ...run }: PollParts): JobRunner<PollJob> =>
  openJobRunner({
    ...run,
    store: jobs.store(pollJobs),
    atOnce: pollJobs.length,
    aliveEveryMs,
    async work({ platform }, { claim, signal }) {
      let done = 0
      for (let after = 0; !signal.aborted; ) {
        const page = await tasks.page(platform, after, pageSize)
        const last = page.at(-1)
        if (last === undefined) return
        await refresh.refresh(platform, page)
        done += page.length
        after = last.id
        if (!(await claim.progress(done, done, {}))) return
      }
    },
  })
