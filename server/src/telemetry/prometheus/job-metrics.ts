import { Counter, Gauge, type Registry } from 'prom-client'

/** Work of clients that ends later. */
export interface JobMetricSource {
  read(): Promise<
    ReadonlyMap<string, { readonly states: ReadonlyMap<string, number>; readonly oldest: number | undefined }>
  >
  ends(): readonly { readonly kind: string; readonly outcome: string; readonly count: number }[]
  deliveries(): readonly { readonly outcome: string; readonly count: number }[]
}

export interface JobMetricsParts {
  readonly registry: Registry
  readonly jobs: JobMetricSource
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** Milliseconds for which figures of the database are used again, and after which a scrape goes on without them. */
const [freshMs, patienceMs] = [1_000, 3_000]

/** Metrics of jobs: those that have not ended are read from the database at each scrape, ends are those of this process. */
export const createJobMetrics = ({ registry, jobs, clock }: JobMetricsParts): void => {
  const registers = [registry]
  let reading: ReturnType<JobMetricSource['read']> | undefined

  const none: Awaited<ReturnType<JobMetricSource['read']>> = new Map()
  const read = (): ReturnType<JobMetricSource['read']> => {
    if (reading === undefined) {
      const late = new Promise<typeof none>((resolve) => setTimeout(resolve, patienceMs, none).unref())
      reading = Promise.race([jobs.read().catch(() => none), late])
      setTimeout(() => {
        reading = undefined
      }, freshMs).unref()
    }
    return reading
  }

  new Gauge({
    name: 'tollgate_jobs',
    help: 'Background responses, batches, videos and webhook deliveries in the database that have not ended, by state; every node says the same',
    labelNames: ['kind', 'state'],
    registers,
    async collect() {
      const kinds = await read()
      this.reset()
      for (const [kind, { states }] of kinds) for (const [state, count] of states) this.set({ kind, state }, count)
    },
  })
  new Gauge({
    name: 'tollgate_jobs_oldest_seconds',
    help: 'Age of the oldest of them; 0 where there is none',
    labelNames: ['kind'],
    registers,
    async collect() {
      const kinds = await read()
      this.reset()
      for (const [kind, { oldest }] of kinds)
        this.set({ kind }, oldest === undefined ? 0 : Math.max(0, clock() / 1000 - oldest))
    },
  })
  new Counter({
    name: 'tollgate_jobs_ended_total',
    help: 'Background responses, batches and videos that this process has ended, by outcome',
    labelNames: ['kind', 'outcome'],
    registers,
    collect() {
      this.reset()
      for (const { kind, outcome, count } of jobs.ends()) this.inc({ kind, outcome }, count)
    },
  })
  new Counter({
    name: 'tollgate_webhook_deliveries_total',
    help: 'Attempts of this process to deliver webhooks to users: delivered, failed (repeated later), given_up',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset()
      for (const { outcome, count } of jobs.deliveries()) this.inc({ outcome }, count)
    },
  })
}
