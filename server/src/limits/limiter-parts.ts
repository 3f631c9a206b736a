import type { Clock } from '../lib/clock.ts'
import type { LimitStore, StoredUse } from './limit-store.ts'

/** Counts that outlast a restart. */
export interface StoredCounts {
  /** Use of each process since a moment. */
  read(limitId: number, digest: string, since: number): Promise<readonly StoredUse[]>
  /** Stores the whole use of this process in place of its earlier row. Rejects while the database is unreachable. */
  write(rows: readonly StoredCount[]): Promise<void>
}

/** Use of one counter by this process in one piece of time. */
export interface StoredCount {
  readonly limitId: number
  /** Digest of the counted subject: `Counter.digest`. */
  readonly digest: string
  /** Beginning of the piece, milliseconds since 1970. */
  readonly at: number
  readonly used: number
}

/** Dependencies of leases. */
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
