import type { Clock } from '../../lib/clock.ts'
import type { Holds } from '../ports.ts'
import type { HeldJobs } from './held-jobs.ts'
import type { JobHolds, ProviderJob } from './ports.ts'

export interface HoldingParts {
  readonly store: JobHolds
  readonly held: HeldJobs
  readonly holds: Holds
  readonly clock: Clock
}

/** Jobs that are taken over at a time. */
const atOnce = 500

/**
 * Keeps what jobs at providers may cost held for as long as they are open, whatever becomes of the process that made them: holds are in
 * memory, and a job takes minutes or hours. One whose process is gone is taken over by another.
 */
export const openHolding = ({ store, held, holds, clock }: HoldingParts) => {
  const hold = async ({ maker, owner, held: amount, id }: ProviderJob): Promise<void> => {
    const answer = await holds.hold({
      userId: maker.userId,
      tokenId: maker.tokenId,
      tokenUnlimited: owner.tokenUnlimited,
      ...(owner.caps === undefined ? {} : { caps: owner.caps }),
      amount,
      // It was granted, and the work is being done.
      more: true,
      spare: -Number.MAX_SAFE_INTEGER,
    })
    if (answer.kind === 'held') held.keep(id, { hold: answer.hold, at: clock() })
  }

  const takeOver = async (own: boolean): Promise<void> => {
    for (const job of await store.unheld(atOnce, own)) {
      if (held.has(job.id)) continue
      if (await store.takeOver(job.id, own)) await hold(job)
    }
  }

  return {
    /** Holds again what this process has held before it began anew. */
    resume: (): Promise<void> => takeOver(true),
    /** Releases holds of jobs that others have charged, renews the own ones, and takes over jobs without a hold. */
    async tick(): Promise<void> {
      const before = held.ids()
      const open = await store.holding(before)
      for (const id of before) if (!open.has(id)) held.release(id)
      await takeOver(false)
    },
    /** At the end of the process: another one takes its jobs over at once. */
    async close(): Promise<void> {
      for (const id of held.ids()) held.release(id)
      await store.letGo()
    },
  }
}

export type Holding = ReturnType<typeof openHolding>
