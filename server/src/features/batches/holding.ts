import type { Clock } from '../../lib/clock.ts'
import type { HeldBatches } from '../../relay/batches/held-batches.ts'
import type { NotedBatch } from '../../relay/batches/ports.ts'
import type { Holds } from '../../relay/ports.ts'
import type { BatchStore } from './store.ts'

export interface HoldingParts {
  readonly store: Pick<BatchStore, 'holding' | 'unheld' | 'takeOver' | 'letGo'>
  readonly held: HeldBatches
  readonly holds: Holds
  readonly clock: Clock
}

/** Batches that are taken over at a time. */
const atOnce = 500

/**
 * Keeps what batches may cost held for as long as they are open, whatever becomes of the process that made them: holds are in memory, and a
 * batch takes hours. One whose process is gone is taken over by another.
 */
export const openHolding = ({ store, held, holds, clock }: HoldingParts) => {
  const hold = async (batch: NotedBatch): Promise<void> => {
    const { maker, owner, held: amount, id } = batch
    const answer = await holds.hold({
      userId: maker.userId,
      tokenId: maker.tokenId,
      tokenUnlimited: owner.tokenUnlimited,
      ...(owner.caps === undefined ? {} : { caps: owner.caps }),
      amount,
      // It was granted, and its lines are being done.
      more: true,
      spare: -Number.MAX_SAFE_INTEGER,
    })
    if (answer.kind === 'held') held.keep(id, answer.hold, clock())
  }

  const takeOver = async (own: boolean): Promise<void> => {
    for (const batch of await store.unheld(atOnce, own)) {
      if (held.has(batch.id)) continue
      if (await store.takeOver(batch.id, own)) await hold(batch)
    }
  }

  return {
    /** Holds again what this process has held before it began anew. */
    resume: (): Promise<void> => takeOver(true),
    /** Ends what was held for batches that others have charged, says what is held, and takes over what nobody holds. */
    async tick(): Promise<void> {
      const before = held.ids()
      const open = await store.holding(before)
      for (const id of before) if (!open.has(id)) held.release(id)
      await takeOver(false)
    },
    /** At the end of the process: another one takes its batches over at once. */
    async close(): Promise<void> {
      for (const id of held.ids()) held.release(id)
      await store.letGo()
    },
  }
}

export type Holding = ReturnType<typeof openHolding>
