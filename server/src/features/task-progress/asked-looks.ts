import { type JobRunner, type JobTimes, openJobRunner } from '../../jobs/runner.ts'
import { unixSeconds } from '../../lib/clock.ts'
import type { CalledTask, CalledTasks } from './called-tasks.ts'
import type { OpenTasks } from './open-tasks.ts'
import type { Refresh } from './refresh.ts'

export interface AskedLookParts extends JobTimes {
  readonly called: CalledTasks
  readonly tasks: OpenTasks
  readonly refresh: Refresh
}

/** Looks that a process does at a time. */
const atOnce = 4
/** Seconds until the row of a task is looked for again that is not there yet, and how long it may take. */
const [absentPace, longestAbsent] = [5, 60]
/** Seconds after which a task that goes on is looked at without another call; the round of all tasks comes earlier. */
const quietPace = 300

/** Asks the services of tasks that they have called about, on whichever node is quickest. */
export const openAskedLooks = ({ called, tasks, refresh, ...run }: AskedLookParts): JobRunner<CalledTask> =>
  openJobRunner({
    ...run,
    store: called.jobs,
    atOnce,
    async work(call) {
      const task = await tasks.begunBy(call.platform, call.request_id)
      if (task === undefined && unixSeconds(run.clock) - call.created_time < longestAbsent)
        return called.later(call, absentPace)
      if (task === undefined || task.isOver) return called.drop(call)
      await refresh.refresh(call.platform, [task])
      await called.later(call, quietPace)
    },
  })
