import type { Kysely } from 'kysely'
import type { Tables } from '../db/schema.ts'

/** Work of clients that ends while no client waits for it, and the ways in which each kind ends. */
export const jobOutcomes = {
  response: ['completed', 'failed', 'cancelled', 'incomplete'],
  batch: ['completed', 'failed', 'cancelled', 'expired'],
  video: ['completed', 'failed'],
} as const

export type JobKind = keyof typeof jobOutcomes

/** The end of such a job. */
export type JobEnd = {
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
  write?(on: Kysely<Tables>, end: JobEnd): Promise<void>
  /** Called once an end is in the database. */
  ended(end: JobEnd): void
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
