import type { UsageSinkState } from '@tollgate/contract'
import type { ClusterJobs } from '#server/db/cluster-jobs.ts'
import { type Clock, unixSeconds } from '#server/lib/clock.ts'
import { printedError } from '#server/lib/json/stored-error.ts'
import type { UsageSink } from './ports.ts'
import type { UsageSinkStore } from './store.ts'
import { usageRecord } from './usage-record.ts'

export interface UsageSinkParts {
  readonly sinks: readonly UsageSink[]
  readonly store: UsageSinkStore
  readonly jobs: Pick<ClusterJobs, 'begin'>
  readonly clock: Clock
  /**
   * Milliseconds until every row with a smaller id than one that was seen is there: several nodes write at the same time. 0 where
   * rows come in the order of their ids.
   */
  readonly settleMs: number
  readonly failed: (sink: string, error: unknown) => void
}

export interface UsageSinks {
  /** Sends what waits, one sink after the other; on one node at a time. */
  run(): Promise<void>
  states(): Promise<UsageSinkState[]>
}

const firstRetrySeconds = 5
const longestRetrySeconds = 15 * 60
const mostCounted = 10_000
const longestError = 300
/** Batches of one sink in a row: the others must have their turn. */
const mostBatches = 100

/** Seconds until the next attempt: twice as long after each failure. */
export const retryAfter = (failures: number): number =>
  Math.min(longestRetrySeconds, firstRetrySeconds * 2 ** Math.min(failures, 20))

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
export const createUsageSinks = (parts: UsageSinkParts): UsageSinks => {
  const { store, clock } = parts
  const settledAt = createSettledIds(parts.settleMs)

  const send = async (sink: UsageSink, upTo: number, goesOn: () => Promise<boolean>): Promise<void> => {
    for (let batch = 0; batch < mostBatches; batch += 1) {
      const state = await store.state(sink.name)
      if (state.retry_time > unixSeconds(clock)) return
      const rows = await store.rows(state.cursor_id, upTo, sink.mostRecords)
      const [oldest, last] = [rows[0], rows.at(-1)]
      if (oldest === undefined || last === undefined) return
      const isFull = rows.length === sink.mostRecords
      if (!isFull && oldest.created_at + sink.longestWait > unixSeconds(clock)) return
      if (!(await goesOn())) return
      try {
        await sink.deliver(rows.map(usageRecord))
      } catch (error) {
        parts.failed(sink.name, error)
        const retry = unixSeconds(clock) + retryAfter(state.failures)
        await store.failed(state, printedError(error, longestError), retry)
        return
      }
      if (!(await store.delivered(state, last.id, rows.length, unixSeconds(clock)))) return
    }
  }

  return {
    async run() {
      const sinks = parts.sinks.filter((sink) => sink.isOn())
      if (sinks.length === 0) return
      for (const sink of sinks) await store.state(sink.name)
      const upTo = settledAt(await store.newest(), clock())
      for (const sink of sinks) {
        const job = await parts.jobs.begin(`usage_sink:${sink.name}`)
        if (job === undefined) continue
        try {
          await send(sink, upTo, () => job.progress(0, 0, {}))
        } catch (error) {
          parts.failed(sink.name, error)
        } finally {
          await job.end(0, 0, {})
        }
      }
    },

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
