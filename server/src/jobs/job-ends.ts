import type { Kysely } from 'kysely'
import type { Tables } from '../db/schema.ts'
import { type ChannelHooks, openChannelHooks } from './channel-hooks.ts'
import { type JobFigures, openJobFigures } from './job-figures.ts'
import { type JobHookParts, type JobHooks, openJobHooks } from './job-hooks.ts'

/** Work of clients that ends while no client waits for it, and the ways in which each kind ends. */
export const jobOutcomes = {
  response: ['completed', 'failed', 'cancelled', 'incomplete'],
  batch: ['completed', 'failed', 'cancelled', 'expired'],
  video: ['completed', 'failed'],
} as const

export type JobKind = keyof typeof jobOutcomes

/** The end of such a job. */
export type EndedJob = {
  readonly [Kind in JobKind]: {
    readonly kind: Kind
    readonly outcome: (typeof jobOutcomes)[Kind][number]
    /** Id of the job, as its client knows it. */
    readonly id: string
    /** The key that asked for it: its payer, and the project and the member of a key of an organisation; 0 for none. */
    readonly maker: { readonly userId: number; readonly projectId: number; readonly memberId: number }
  }
}[JobKind]

export interface JobEndListener {
  /**
   * Writes what follows from an end: in the transaction that ends the job, or on its own before the job's row is deleted. Called again
   * for one job after a kill, so a repeat must change nothing.
   */
  write?(on: Kysely<Tables>, end: EndedJob): Promise<void>
  /** Called once an end is in the database. */
  ended(end: EndedJob): void
}

/** Tells listeners which jobs have ended. */
export interface JobEnds extends Required<JobEndListener> {
  listen(listener: JobEndListener): void
}

export const openJobEnds = (): JobEnds => {
  const listeners: JobEndListener[] = []
  return {
    listen: (listener) => void listeners.push(listener),
    async write(on, end) {
      for (const { write } of listeners) await write?.(on, end)
    },
    ended(end) {
      for (const { ended } of listeners) ended(end)
    },
  }
}

/** Ends, figures and addresses of work that no client waits for. */
export interface JobParts {
  /** Ends of such work. */
  readonly jobEnds: JobEnds
  /** Figures of such work, for metrics. */
  readonly jobFigures: JobFigures
  /** Addresses at which providers call when it may have ended. */
  readonly jobHooks: JobHooks
  /** The same for calls of providers about a whole account. */
  readonly channelHooks: ChannelHooks
}

/** Opens them all; each end is counted. */
export const openJobParts = (hooks: JobHookParts): JobParts => {
  const jobFigures = openJobFigures()
  const jobEnds = openJobEnds()
  jobEnds.listen({ ended: ({ kind, outcome }) => jobFigures.countEnd(kind, outcome) })
  return { jobEnds, jobFigures, jobHooks: openJobHooks(hooks), channelHooks: openChannelHooks(hooks) }
}
