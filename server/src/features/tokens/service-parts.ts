import type { Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'
import type { Trace } from '../../db/trace.ts'
import type { Movements } from '../../ledger/movements.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Secrets } from '../../lib/security/secrets.ts'
import type { TokenStore } from './store.ts'

export interface TokenServiceParts {
  readonly database: Database
  readonly store: TokenStore
  readonly secrets: Secrets
  readonly ledger: Pick<Movements, 'open' | 'setTokenRemain' | 'refreshToken' | 'moveToken'>
  /** True if users of a group may choose another. */
  groupUsable(userGroup: string, group: string): boolean
  readonly directory: { changed(change: { token: number }): void }
  readonly audit: { record(trace: Trace, trx?: Transaction<Tables>): Promise<void> }
  readonly clock: Clock
  /** 48 letters and digits; the secure source unless a test passes another. */
  newKey?(): string
  /** Tokens that one user may have; those that are above it stay. */
  readonly mostTokens: () => number
}
