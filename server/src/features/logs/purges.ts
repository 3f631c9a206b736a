import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { logType } from '@tollgate/contract'
import type { Trace } from '../../db/trace.ts'
import type { RowClaim } from '../../jobs/row-claims.ts'
import { type JobRunner, type JobTimes, openJobRunner } from '../../jobs/runner.ts'
import { AppError } from '../../lib/app-error.ts'
import { unixSeconds } from '../../lib/clock.ts'
import type { LogPurge, PurgeStore } from './purge-store.ts'

/** Days that rows of each kind are kept; 0 keeps them for ever. */
export interface LogRetention {
  readonly charged: number
  readonly failed: number
  /** Top-ups, administration and notes of the system. */
  readonly other: number
}

export interface PurgeParts extends JobTimes {
  readonly store: PurgeStore
  readonly audit: { record(trace: Trace): Promise<void> }
  retention(): LogRetention
  /** Shortest rest between chunks, so that charges come in between; milliseconds. */
  readonly restMs?: number
}

export interface LogPurges extends Pick<JobRunner<LogPurge>, 'work' | 'wake' | 'stop'> {
  /** How many rows are older than `before` (unix seconds), and what is being deleted. */
  state(before: number): Promise<{ count: number; running: { before: number; total: number; deleted: number } | null }>
  /** Asks for everything older than `before` to be deleted; answers how many rows that are. */
  clear(actor: { id: number; username: string; ip: string }, before: number): Promise<number>
  /** Asks once a day and type, whichever node is first, for rows past their time. */
  askForOldRows(): Promise<void>
}

/** Each chunk holds the writer for a few hundredths of a second. */
const chunkRows = 500
const restMs = 50
/** A database that is busy gets rests that are so many times as long as the chunk took: at most a quarter of it is for purges. */
const restShare = 3
const longestRestMs = 5_000
const secondsPerDay = 86_400

const typesPastTime = ({ charged, failed, other }: LogRetention): { name: string; type: number; days: number }[] =>
  [
    { name: 'charges', type: logType.consume, days: charged },
    { name: 'errors', type: logType.error, days: failed },
    { name: 'top-ups', type: logType.topUp, days: other },
    { name: 'administration', type: logType.manage, days: other },
    { name: 'system', type: logType.system, days: other },
  ].filter(({ days }) => days > 0)

/**
 * Deletes logs in small chunks beside everything else; the ledger and the sums stay. What is asked for stands in the
 * database, so a restart goes on where it ended, and one node at a time works on it.
 */
export const createLogPurges = (parts: PurgeParts): LogPurges => {
  const { store, clock } = parts
  const now = (): number => unixSeconds(clock)

  const runner = openJobRunner<LogPurge, RowClaim>({
    store: store.jobs,
    async work(purge, { claim, signal }) {
      do {
        const began = performance.now()
        const rows = await store.deleteSome(purge, chunkRows)
        if (rows > 0) await store.deleted(purge.id, rows)
        if (rows < chunkRows) return store.finish(purge.id, now())
        const took = performance.now() - began
        await sleep(Math.min(Math.max(parts.restMs ?? restMs, took * restShare), longestRestMs))
      } while (!signal.aborted && (await claim.keep()))
    },
    everyMs: parts.everyMs,
    failed: parts.failed,
    clock,
  })

  const manual = async (): Promise<LogPurge | undefined> => (await store.open()).find(({ type }) => type === 0)

  return {
    async state(before) {
      const [count, running] = await Promise.all([before > 0 ? store.count({ type: 0, before }) : 0, manual()])
      return {
        count,
        running: running ? { before: running.before, total: running.total, deleted: running.deleted } : null,
      }
    },
    async clear(actor, wanted) {
      if (wanted <= 0) throw new AppError('log_time_required')
      if (await manual()) throw new AppError('log_clearing')
      const before = Math.min(wanted, now())
      const total = await store.count({ type: 0, before })
      await parts.audit.record({
        actor: { id: actor.id, username: actor.username },
        action: 'log.clear',
        object: 'log',
        objectId: '',
        before: { rows: total },
        after: { before },
        ip: actor.ip,
      })
      if (total > 0) await store.add({ name: `clear:${randomUUID()}`, type: 0, before, total, created_time: now() })
      return total
    },
    async askForOldRows() {
      const today = new Date(clock()).toISOString().slice(0, 10)
      for (const { name, type, days } of typesPastTime(parts.retention())) {
        const purge = { type, before: now() - days * secondsPerDay }
        // How many there are is not counted: a count of millions would read all of them.
        if (await store.any(purge))
          await store.add({ ...purge, name: `${name}:${today}`, total: 0, created_time: now() })
      }
    },
    work: runner.work,
    wake: runner.wake,
    stop: runner.stop,
  }
}
