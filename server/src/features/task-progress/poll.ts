import type { ClusterJobs } from '../../db/cluster-jobs.ts'
import type { TaskPlatform } from '../../providers/dialects/tasks.ts'
import type { OpenTasks } from './open-tasks.ts'
import type { Refresh } from './refresh.ts'

/** How often upstreams are asked after their tasks. */
const pollEverySeconds = 15

const pageSize = 500

export const pollJobs: Readonly<Record<TaskPlatform, string>> = { midjourney: 'drawing-poll', suno: 'task-poll' }

/** Asks after all tasks that are under way, once per period whatever number of nodes there are. */
export const createPoll = (parts: { states: ClusterJobs; tasks: OpenTasks; refresh: Refresh }) => {
  const { states, tasks, refresh } = parts

  const pollAll = async (platform: TaskPlatform, alive: (done: number) => Promise<boolean>): Promise<number> => {
    let done = 0
    for (let after = 0; ; ) {
      const page = await tasks.page(platform, after, pageSize)
      const last = page.at(-1)
      if (last === undefined) return done
      await refresh.refresh(platform, page)
      done += page.length
      after = last.id
      if (!(await alive(done))) return done
    }
  }

  const poll = async (platform: TaskPlatform): Promise<void> => {
    const run = await states.beginIfDue(pollJobs[platform], pollEverySeconds)
    if (run === undefined) return
    let done = 0
    try {
      done = await pollAll(platform, (count) => run.progress(count, count, {}))
    } finally {
      await run.end(done, done, {})
    }
  }

  return {
    /** One poll; does nothing when another node polled within the interval. */
    tick: async (): Promise<void> => {
      await Promise.all([poll('midjourney'), poll('suno')])
    },
  }
}
