import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '../db/schema.ts'

/** Jobs of a kind that have not ended. */
export interface OpenJobs {
  /** Numbers by state. */
  readonly states: ReadonlyMap<string, number>
  /** Unix seconds at which the oldest was created; undefined where there is none. */
  readonly oldest: number | undefined
}

/** Figures of jobs for metrics: those in the database are read when they are asked for, ends are counted by this process. */
export interface JobFigures {
  /** Adds a kind of jobs. */
  add(kind: string, read: () => Promise<OpenJobs>): void
  /** All kinds with their jobs. Rejects without the database. */
  read(): Promise<ReadonlyMap<string, OpenJobs>>
  countEnd(kind: string, outcome: string): void
  countDelivery(outcome: string): void
  /** Ends since the start of the process. */
  ends(): readonly { readonly kind: string; readonly outcome: string; readonly count: number }[]
  /** Attempts to deliver webhooks to users since then. */
  deliveries(): readonly { readonly outcome: string; readonly count: number }[]
}

export const openJobFigures = (): JobFigures => {
  const sources = new Map<string, () => Promise<OpenJobs>>()
  const ends = new Map<string, { readonly kind: string; readonly outcome: string; count: number }>()
  const deliveries = new Map<string, number>()
  return {
    add: (kind, read) => void sources.set(kind, read),
    async read() {
      const read = [...sources].map(async ([kind, source]) => [kind, await source()] as const)
      return new Map(await Promise.all(read))
    },
    countEnd(kind, outcome) {
      const name = `${kind} ${outcome}`
      const series = ends.get(name) ?? { kind, outcome, count: 0 }
      series.count += 1
      ends.set(name, series)
    },
    countDelivery: (outcome) => void deliveries.set(outcome, (deliveries.get(outcome) ?? 0) + 1),
    ends: () => [...ends.values()],
    deliveries: () => [...deliveries].map(([outcome, count]) => ({ outcome, count })),
  }
}

export interface OpenJobsQuery {
  readonly table: keyof Tables
  /** Expression with the name of a row's state. */
  readonly state: RawBuilder<string>
  /** Condition of rows that have not ended; it should go along an index. */
  readonly where: RawBuilder<unknown>
}

/** Jobs that are rows with a `created_time`. */
export const readOpenJobs = async (
  query: Kysely<Tables>,
  { table, state, where }: OpenJobsQuery,
): Promise<OpenJobs> => {
  const { rows } = await sql<{ state: string; jobs: number; oldest: number }>`
    select ${state} as state, count(*) as jobs, min(created_time) as oldest from ${sql.table(table)}
    where ${where} group by ${state}`.execute(query)
  const times = rows.map(({ oldest }) => Number(oldest))
  return {
    states: new Map(rows.map((row) => [row.state, Number(row.jobs)])),
    oldest: times.length === 0 ? undefined : Math.min(...times),
  }
}
