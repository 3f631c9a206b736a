import { randomUUID } from 'node:crypto'
import type { Database } from '../db/database.ts'
import { isUniqueViolation } from '../db/dialect.ts'
import { type Clock, unixSeconds } from '../lib/clock.ts'
import type { Claim, JobStore, StoredJob } from './job-store.ts'

type Result = Readonly<Record<string, unknown>>

/** How far a named job is. Times in unix seconds. */
export interface JobState {
  readonly running: boolean
  readonly startedTime: number
  /** 0 while it runs and when it was never done. */
  readonly finishedTime: number
  readonly done: number
  readonly total: number
  /** Result so far, as the worker reported it. */
  readonly result: Result
}

/** Work that one node does for all. */
export interface NamedJob extends StoredJob {
  readonly id: string
  /** Seconds between two starts; the first run comes one period after it was first looked for. Absent: whenever it is free. */
  readonly everySeconds?: number | undefined
}

export interface NamedClaim extends Claim {
  /** End of the last run, unix seconds; 0 where there was none. */
  readonly lastFinished: number
  /** Writes how far the run is, and prolongs the lease. False when the job must stop, or another node has taken it over. */
  progress(done: number, total: number, result: Result): Promise<boolean>
  /** Sets what the end of the run writes; without it the end repeats the last progress. */
  report(done: number, total: number, result: Result): void
}

/** Jobs that run once, on any number of nodes: a row per name says which run has it. */
export interface NamedJobs {
  /** These jobs for a runner. They are few, and all of them may be due at once, unless `isWanted` answers false. */
  store<J extends NamedJob>(jobs: readonly J[], isWanted?: () => boolean | Promise<boolean>): JobStore<J, NamedClaim>
  state(name: string): Promise<JobState>
  /** Asks the running node to stop; false when no node runs the job. */
  stop(name: string): Promise<boolean>
}

/** Seconds of silence after which a node counts as dead, and its job may start anew. */
const silentS = 120

const nothing: JobState = { running: false, startedTime: 0, finishedTime: 0, done: 0, total: 0, result: {} }

export const openNamedJobs = ({ query }: Pick<Database, 'query'>, clock: Clock): NamedJobs => {
  const now = (): number => unixSeconds(clock)

  const rowOf = (name: string) =>
    query.selectFrom('cluster_jobs').selectAll().where('name', '=', name).executeTakeFirst()

  /** Makes the row where there is none; two nodes may try at once. */
  const prepare = async ({ id: name, everySeconds }: NamedJob): Promise<void> => {
    const fresh = { run: '', alive_until: 0, finished_time: 0, done: 0, total: 0, result: '{}', stop_requested: 0 }
    await query
      .insertInto('cluster_jobs')
      .values({ name, started_time: everySeconds === undefined ? 0 : now(), ...fresh })
      .execute()
      .catch((error: unknown) => {
        if (!isUniqueViolation(error)) throw error
      })
  }

  const claimOf = (name: string, run: string, lastFinished: number): NamedClaim => {
    let reached = { done: 0, total: 0, result: '{}' }
    const report: NamedClaim['report'] = (done, total, result) => {
      reached = { done, total, result: JSON.stringify(result) }
    }
    const write = async (change: Record<string, number | string>): Promise<boolean> => {
      const { numUpdatedRows } = await query
        .updateTable('cluster_jobs')
        .set({ ...change, alive_until: now() + silentS })
        .where('name', '=', name)
        .where('run', '=', run)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    }
    const goesOn = async (isOurs: boolean): Promise<boolean> => {
      const row = isOurs ? await rowOf(name) : undefined
      return row?.run === run && row.stop_requested === 0
    }
    const end = (): Promise<boolean> => write({ ...reached, run: '', finished_time: now() })
    return {
      attempts: 1,
      lastFinished,
      keep: async () => goesOn(await write({})),
      async progress(done, total, result) {
        report(done, total, result)
        return goesOn(await write(reached))
      },
      report,
      done: end,
      fail: end,
    }
  }

  /** One statement decides, so only one node gets it. */
  const claim = async (job: NamedJob): Promise<NamedClaim | undefined> => {
    const { id: name, everySeconds = 0 } = job
    const before = await rowOf(name)
    if (before === undefined) await prepare(job)
    const run = randomUUID()
    const at = now()
    const { numUpdatedRows } = await query
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
      .where('started_time', '<=', at - everySeconds)
      .where(({ or, eb }) => or([eb('run', '=', ''), eb('alive_until', '<', at)]))
      .executeTakeFirst()
    return numUpdatedRows > 0n ? claimOf(name, run, before?.finished_time ?? 0) : undefined
  }

  const isDue = async (job: NamedJob): Promise<boolean> => {
    const row = await rowOf(job.id)
    if (row === undefined) await prepare(job)
    const startedTime = row?.started_time ?? (job.everySeconds === undefined ? 0 : now())
    const isFree = row === undefined || row.run === '' || row.alive_until < now()
    return isFree && startedTime <= now() - (job.everySeconds ?? 0)
  }

  return {
    store: (jobs, isWanted = () => true) => ({
      async due() {
        if (!(await isWanted())) return []
        const due = await Promise.all(jobs.map(isDue))
        return jobs.filter((_, index) => due[index])
      },
      claim,
    }),
    async state(name) {
      const row = await rowOf(name)
      if (row === undefined) return nothing
      return {
        running: row.run !== '' && row.alive_until >= now(),
        startedTime: row.started_time,
        finishedTime: row.finished_time,
        done: row.done,
        total: row.total,
        result: JSON.parse(row.result) as Result,
      }
    },
    async stop(name) {
      const { numUpdatedRows } = await query
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
