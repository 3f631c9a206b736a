import type { UsageSinkState } from '@tollgate/contract'
import { growingPauses, pauseAfter } from '#server/jobs/job-policy.ts'
import type { NamedClaim, NamedJob, NamedJobs } from '#server/jobs/named-jobs.ts'
import { type JobRun, openJobRunner } from '#server/jobs/runner.ts'
import { type Clock, unixSeconds } from '#server/lib/clock.ts'
import { printedError } from '#server/lib/json/stored-error.ts'
import type { UsageSink } from './ports.ts'
import type { UsageSinkStore } from './store.ts'
import { usageRecord } from './usage-record.ts'

export interface UsageSinkParts {
  readonly sinks: readonly UsageSink[]
  readonly store: UsageSinkStore
  readonly jobs: Pick<NamedJobs, 'store'>
  readonly clock: Clock
  /**
   * Milliseconds until every row with a smaller id than one that was seen is there: several nodes write at the same time. 0 where
   * rows come in the order of their ids.
   */
  readonly settleMs: number
  readonly failed: (sink: string, error: unknown) => void
  /** Milliseconds between looks for usage; absent where only calls look. */
  readonly everyMs?: number
}

export interface UsageSinks {
  /** Sends what waits, one sink after the other; on one node at a time. */
  run(): Promise<void>
  states(): Promise<UsageSinkState[]>
  /** Ends after the batch that is under way. */
  stop(): Promise<void>
}

/** Pauses after failures of a sink. */
export const retryPauses = growingPauses({ first: 5, growth: 2, longest: 15 * 60 })
const mostCounted = 10_000
const longestError = 300
/** Batches of one sink in a row: the others must have their turn. */
const mostBatches = 100
const aliveEveryMs = 30_000

interface SinkJob extends NamedJob {
  readonly sink: UsageSink
}

/** The largest id below which nothing comes any more. */
const createSettledIds = (settleMs: number) => {
  let seen: { readonly at: number; readonly id: number }[] = []
  let settled = 0
  return (id: number, now: number): number => {
    seen.push({ at: now, id })
    for (const mark of seen) if (mark.at <= now - settleMs) settled = Math.max(settled, mark.id)
    seen = seen.filter((mark) => mark.at > now - settleMs)
    return settled
  }
}

/** Sends usage to sinks: in order, at least once, from where each of them was, however often the server starts. */
export const openUsageSinks = (parts: UsageSinkParts): UsageSinks => {
  const { store, clock } = parts
  const settledAt = createSettledIds(parts.settleMs)

  const jobs = parts.sinks.map((sink): SinkJob => ({ id: `usage_sink:${sink.name}`, sink }))
  /** Rows up to this id are all there. */
  let upTo = 0

  const due = async (): Promise<readonly SinkJob[]> => {
    const on = jobs.filter(({ sink }) => sink.isOn())
    if (on.length === 0) return []
    for (const { sink } of on) await store.state(sink.name)
    upTo = settledAt(await store.newest(), clock())
    return on
  }

  const send = async ({ sink }: SinkJob, { claim, signal }: JobRun<NamedClaim>): Promise<void> => {
    for (let batch = 0; batch < mostBatches; batch += 1) {
      const state = await store.state(sink.name)
      if (state.retry_time > unixSeconds(clock)) return
      const rows = await store.rows(state.cursor_id, upTo, sink.mostRecords)
      const [oldest, last] = [rows[0], rows.at(-1)]
      if (oldest === undefined || last === undefined) return
      const isFull = rows.length === sink.mostRecords
      if (!isFull && oldest.created_at + sink.longestWait > unixSeconds(clock)) return
      if (signal.aborted || !(await claim.keep())) return
      try {
        await sink.deliver(rows.map(usageRecord))
      } catch (error) {
        parts.failed(sink.name, error)
        const retry = unixSeconds(clock) + pauseAfter(retryPauses, state.failures + 1)
        await store.failed(state, printedError(error, longestError), retry)
        return
      }
      if (!(await store.delivered(state, last.id, rows.length, unixSeconds(clock)))) return
    }
  }

  const runner = openJobRunner({
    store: { ...parts.jobs.store(jobs), due },
    work: send,
    everyMs: parts.everyMs,
    aliveEveryMs,
    failed: (error, job) => parts.failed(job?.sink.name ?? '', error),
    clock,
  })

  return {
    run: runner.work,
    stop: runner.stop,
    async states() {
      const states: UsageSinkState[] = []
      for (const sink of parts.sinks.filter((one) => one.isOn())) {
        const { cursor_id, ...state } = await store.state(sink.name)
        const waiting = await store.waiting(cursor_id, mostCounted)
        states.push({ ...state, name: sink.name, waiting })
      }
      return states
    },
  }
}
