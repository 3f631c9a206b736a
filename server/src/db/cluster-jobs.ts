import { randomUUID } from 'node:crypto'
import { type Clock, unixSeconds } from '../lib/clock.ts'
import type { Database } from './database.ts'
import { isUniqueViolation } from './dialect.ts'

/** How far work is that one node does for all. Times in unix seconds. */
export interface JobState {
  readonly running: boolean
  readonly startedTime: number
  /** 0 while it runs and when it was never done. */
  readonly finishedTime: number
  readonly done: number
  readonly total: number
  /** Result so far, as the worker reported it. */
  readonly result: Readonly<Record<string, unknown>>
}

export interface JobRun {
  /** Reports progress and a sign of life. False when the job must stop, or another node has taken it over. */
  progress(done: number, total: number, result: Readonly<Record<string, unknown>>): Promise<boolean>
  /** Ends the run; call it on every path. */
  end(done: number, total: number, result: Readonly<Record<string, unknown>>): Promise<void>
}

/** Jobs that run once, on any number of nodes: a row per job names the node that runs it. */
export interface ClusterJobs {
  /** Begins a job unless it runs somewhere; undefined then. */
  begin(name: string): Promise<JobRun | undefined>
  /** The same if its last start is at least this number of seconds ago. The first run comes one period after the first call. */
  beginIfDue(name: string, everySeconds: number): Promise<JobRun | undefined>
  state(name: string): Promise<JobState>
  /** Asks the running node to stop; false when no node runs the job. */
  stop(name: string): Promise<boolean>
}

/** Seconds of silence after which a node counts as dead, and its job may start anew. */
const silentS = 120

const nothing: JobState = { running: false, startedTime: 0, finishedTime: 0, done: 0, total: 0, result: {} }

export const openClusterJobs = (database: Database, clock: Clock): ClusterJobs => {
  const now = (): number => unixSeconds(clock)

  /** Makes the row where there is none; two nodes may try at once. */
  const prepare = async (name: string, startedTime: number): Promise<void> => {
    const there = await database.query
      .selectFrom('cluster_jobs')
      .select('name')
      .where('name', '=', name)
      .executeTakeFirst()
    if (there) return
    const fresh = { run: '', alive_until: 0, finished_time: 0, done: 0, total: 0, result: '{}', stop_requested: 0 }
    await database.query
      .insertInto('cluster_jobs')
      .values({ name, started_time: startedTime, ...fresh })
      .execute()
      .catch((error: unknown) => {
        if (!isUniqueViolation(error)) throw error
      })
  }

  const runOf = (name: string, run: string): JobRun => {
    const write = async (change: Record<string, number | string>): Promise<boolean> => {
      const { numUpdatedRows } = await database.query
        .updateTable('cluster_jobs')
        .set({ ...change, alive_until: now() + silentS })
        .where('name', '=', name)
        .where('run', '=', run)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    }
    return {
      progress: async (done, total, result) => {
        if (!(await write({ done, total, result: JSON.stringify(result) }))) return false
        const row = await database.query
          .selectFrom('cluster_jobs')
          .select(['run', 'stop_requested'])
          .where('name', '=', name)
          .executeTakeFirst()
        return row?.run === run && row.stop_requested === 0
      },
      end: async (done, total, result) => {
        await write({ done, total, result: JSON.stringify(result), run: '', finished_time: now() })
      },
    }
  }

  /** One statement decides, so only one node gets it. */
  const take = async (name: string, startedBefore: number): Promise<JobRun | undefined> => {
    const run = randomUUID()
    const at = now()
    const { numUpdatedRows } = await database.query
      .updateTable('cluster_jobs')
      .set({
        run,
        alive_until: at + silentS,
        started_time: at,
        finished_time: 0,
        done: 0,
        total: 0,
        result: '{}',
        stop_requested: 0,
      })
      .where('name', '=', name)
      .where('started_time', '<=', startedBefore)
      .where(({ or, eb }) => or([eb('run', '=', ''), eb('alive_until', '<', at)]))
      .executeTakeFirst()
    return numUpdatedRows > 0n ? runOf(name, run) : undefined
  }

  return {
    begin: async (name) => {
      await prepare(name, 0)
      return take(name, now())
    },
    beginIfDue: async (name, everySeconds) => {
      await prepare(name, now())
      return take(name, now() - everySeconds)
    },
    state: async (name) => {
      const row = await database.query
        .selectFrom('cluster_jobs')
        .selectAll()
        .where('name', '=', name)
        .executeTakeFirst()
      if (!row) return nothing
      const running = row.run !== '' && row.alive_until >= now()
      return {
        running,
        startedTime: row.started_time,
        finishedTime: row.finished_time,
        done: row.done,
        total: row.total,
        result: JSON.parse(row.result) as Readonly<Record<string, unknown>>,
      }
    },
    stop: async (name) => {
      const { numUpdatedRows } = await database.query
        .updateTable('cluster_jobs')
        .set({ stop_requested: 1 })
        .where('name', '=', name)
        .where('run', '<>', '')
        .where('alive_until', '>=', now())
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}
