import { setTimeout as sleep } from 'node:timers/promises'
import type { SharedParts } from '../../app/parts.ts'
import { openNamedJobs } from '../../jobs/named-jobs.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Channels } from '../../relay/ports.ts'
import { type Reader, scopeOf } from '../../relay/reader.ts'
import { openAskedLooks } from './asked-looks.ts'
import { openCalledTasks, taskHookKinds } from './called-tasks.ts'
import { openOpenTasks } from './open-tasks.ts'
import { openPoll } from './poll.ts'
import { createRefresh } from './refresh.ts'
import { createSettling } from './settle.ts'

export interface TaskProgressSide {
  /** Asks the upstream how a drawing is; false when the key reads none of that name. */
  refreshDrawing(reader: Reader, mjId: string): Promise<boolean>
  close(): Promise<void>
}

export interface TaskProgressNeeds {
  readonly channels: Channels
  /** Quota units of one unit of currency, 0 where the site shows quota units. */
  readonly unit: () => number
  readonly tokenChanged: (tokenId: number) => void
}

/** How often a node asks whether a turn is due; which node gets it is decided in the database. */
const askEveryMs = 5000
/** Topic of notices that a service has called about a task. */
const calledTopic = 'task_called'
/** An upstream that is silent while the process is asked to stop is not waited for any longer; what it says is asked again. */
const closeTimeoutMs = 5000

/** Joins what follows drawing and music tasks to their end: one node asks their upstreams, failures are paid back. */
export const joinTaskProgress = (
  shared: SharedParts,
  { channels, unit, tokenChanged }: TaskProgressNeeds,
): TaskProgressSide => {
  const { config, database, logDatabase, ledger, clock, log, storedResponses, jobHooks, bus } = shared
  const tasks = openOpenTasks(database)
  const refresh = createRefresh({
    tasks,
    settling: createSettling({ database, logDatabase, movements: ledger.movements, unit, tokenChanged, clock }),
    channels,
    service: {
      upstream: shared.upstream,
      connectMs: config.timeouts.connect,
      maxResponseBytes: config.maxResponseBytes,
    },
    keyHashOf: storedResponses.keyHashOf,
    clock,
    warn: log.warn,
  })
  const isAsking = config.updateTasks && !config.isSlave
  const times = {
    everyMs: isAsking ? askEveryMs : undefined,
    failed: (error: unknown) => log.warn('task_poll_failed', { error }),
    clock,
  }
  const poll = openPoll({ jobs: openNamedJobs(database, clock), tasks, refresh, ...times })
  const called = openCalledTasks(database, clock)
  const looks = openAskedLooks({ called, tasks, refresh, ...times })
  for (const platform of ['midjourney', 'suno'] as const)
    jobHooks.listen(taskHookKinds[platform], async (requestId) => {
      if (await called.nudge(platform, requestId)) bus.publish(calledTopic)
      return true
    })
  const stopListening = bus.subscribe(calledTopic, () => {
    if (isAsking) looks.wake()
  })
  /** Concurrent refreshes of the same drawing share one query. */
  const running = new Map<string, Promise<boolean>>()
  const refreshDrawing = async (reader: Reader, mjId: string): Promise<boolean> => {
    const { exists, open } = await tasks.own('midjourney', reader, mjId)
    if (open.length > 0 && !(await refresh.refresh('midjourney', open))) throw new AppError('upstream_timeout')
    return exists
  }
  return {
    refreshDrawing(reader, mjId) {
      const name = `${scopeOf(reader)} ${mjId}`
      const refreshing = running.get(name) ?? refreshDrawing(reader, mjId).finally(() => running.delete(name))
      running.set(name, refreshing)
      return refreshing
    },
    async close() {
      stopListening()
      const tooLate = sleep(closeTimeoutMs, undefined, { ref: false })
      await Promise.race([
        Promise.all([poll.stop(), looks.stop(), ...running.values()]).catch(() => undefined),
        tooLate,
      ])
    },
  }
}
