import type { Clock } from '../lib/clock.ts'
import type { LimitStore, StoredUse } from './limit-store.ts'

/** Counts that outlast a restart. */
export interface StoredCounts {
  /** What each process has used since a moment. */
  read(limitId: number, digest: string, since: number): Promise<readonly StoredUse[]>
  write(rows: readonly StoredCount[]): Promise<void>
}

export interface StoredCount {
  readonly limitId: number
  readonly digest: string
  readonly at: number
  readonly used: number
}

/** What leases need. */
export interface LeaseParts {
  readonly store: LimitStore
  /** True where other processes count there, too. */
  readonly isShared: boolean
  /** Names this process, anew at each start. */
  readonly node: string
  readonly clock: Clock
  readonly counts: StoredCounts
  readonly warn: (event: string, fields: Readonly<Record<string, unknown>>) => void
}

export interface LimiterParts extends LeaseParts {
  /** Quota units as callers read them. */
  readonly amountText: (quota: number) => string
}
