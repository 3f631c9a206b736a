import type { LogText } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import type { Database } from '#server/db/database.ts'
import type { Tables } from '#server/db/schema.ts'
import type { Trace } from '#server/db/trace.ts'
import type { Movements } from '#server/ledger/movements.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { Secrets } from '#server/lib/security/secrets.ts'

interface AttemptKeys {
  readonly account: string
  readonly address: string
}

/** Slows guessing down, for all nodes together. */
export interface CodeGuessThrottle {
  /** Counts an attempt before its code is looked at. Throws AppError('redemption_throttled') while one has to wait. */
  attempt(keys: AttemptKeys): Promise<void>
  /** Takes the attempt back. */
  succeeded(keys: AttemptKeys): Promise<void>
}

export interface RedemptionParts {
  readonly database: Database
  readonly secrets: Secrets
  readonly ledger: Pick<Movements, 'move'>
  readonly audit: { record(trace: Trace, trx?: Transaction<Tables>): Promise<void> }
  readonly throttle: CodeGuessThrottle
  /** Writes a line into a user's log; it must not fail. */
  writeEvent(event: { userId: number; username: string; text: LogText }): Promise<void>
  /** Quota as a short name, e.g. `$1.00`. */
  shortAmount(quota: number): string
  readonly clock: Clock
}
