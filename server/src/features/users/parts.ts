import type { LogText } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'
import type { Trace } from '../../db/trace.ts'
import type { Movements } from '../../ledger/movements.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Identities } from '../../verification/identities.ts'
import type { SignInWays } from '../../verification/sign-in-ways.ts'

/** A row of the usage log that tells a user about their quota. */
export interface QuotaNote {
  readonly userId: number
  readonly username: string
  /** `logType.manage` or `logType.system`. */
  readonly type: number
  readonly text: LogText
}

/** Parts of the server that users depend on. */
export interface UserParts {
  readonly database: Database
  readonly ledger: Pick<Movements, 'open' | 'earn' | 'adjust' | 'setBalance'>
  readonly identities: Identities
  readonly signInWays: Pick<SignInWays, 'openAccount'>
  readonly audit: { record(trace: Trace, trx?: Transaction<Tables>): Promise<void> }
  writeNote(note: QuotaNote): Promise<void>
  /** Option QuotaForNewUser. */
  newUserQuota(): number
  /** Options QuotaForInvitee and QuotaForInviter. */
  invitationQuotas(): { readonly invitee: number; readonly inviter: number }
  groupExists(group: string): boolean
  /** Ends every session of a user. */
  endSessions(userId: number): Promise<void>
  /** Ends every named access token of a user. */
  removeAccessTokens(trx: Transaction<Tables>, userId: number): Promise<void>
  /** Invalidates cached users on all nodes. */
  userChanged(userId: number): void
  readonly clock: Clock
}
