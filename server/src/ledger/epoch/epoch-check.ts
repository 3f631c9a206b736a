import type { Epoch, LedgerMark } from './stored-epoch.ts'

/** State of the ledger of one epoch in Redis. */
export interface LedgerTip {
  /** The highest entry that a node has reported. */
  readonly highest: number
  /** An entry that a node has seen in the database; undefined before the first check. */
  readonly mark: LedgerMark | undefined
}

/** Redis access to the tips; commands concern the current epoch. */
export interface TipStore {
  tip(): Promise<LedgerTip>
  /** Moves the tip forward; answers false when Redis knew a higher entry. */
  raiseTip(highest: number, mark?: LedgerMark): Promise<boolean>
  /** Makes every node take its next step in the epoch that the database names. */
  closeEpoch(): Promise<void>
}

export interface EpochCheckParts {
  readonly epoch: Epoch
  readonly store: TipStore
  /** Changes to another epoch: all that was sent to Redis before counts as not sent. */
  readonly change: (name: string) => Promise<void>
  readonly warn: (message: string, fields: Readonly<Record<string, unknown>>) => void
}

/**
 * Returns a function that compares the database with what Redis knows of it. An entry that Redis knows and the database
 * does not have, or has with other content, means that the database was restored: it gets a new epoch, and balances are
 * read from the database again. Checks that are asked for at the same time are one. Rejects when the database or Redis
 * does not answer.
 */
export const createEpochCheck = ({ epoch, store, change, warn }: EpochCheckParts): (() => Promise<void>) => {
  const isSameHistory = async ({ highest, mark }: LedgerTip, last: LedgerMark | undefined): Promise<boolean> => {
    if ((last?.id ?? 0) < highest) return false
    return mark === undefined || (await epoch.movementOf(mark.id)) === mark.movement
  }

  const check = async (): Promise<void> => {
    const stored = await epoch.read()
    if (stored !== epoch.name) {
      warn('database_epoch_changed', { from: epoch.name, to: stored })
      await change(stored)
    }
    // The tip is read first: the database can only be ahead of it, unless it went back.
    const tip = await store.tip()
    const last = await epoch.lastEntry()
    if (await isSameHistory(tip, last)) {
      if (last !== undefined) await store.raiseTip(last.id, last)
      return
    }
    const renewed = await epoch.renew(stored)
    warn('database_epoch_renewed', {
      from: stored,
      to: renewed,
      redis_entry: tip.highest,
      database_entry: last?.id ?? 0,
    })
    await store.closeEpoch()
    await change(renewed)
  }

  let running: Promise<void> | undefined
  return () => {
    running ??= check().finally(() => {
      running = undefined
    })
    return running
  }
}
