import type { BodyOf, createToken, Language, LimitChange, Token } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import type { Users } from '../../app/noun-types.ts'
import type { Tables, UserRow } from '../../db/schema.ts'
import type { Trace } from '../../db/trace.ts'
import type { Actor } from '../../http/actor.ts'
import type { OneTimeCodes } from '../../verification/one-time-codes.ts'
import type { RequiredWays } from '../../verification/required-way.ts'

/** Link of an invitation as a mail carries it. */
export interface UserInvitation {
  readonly to: string
  readonly inviter: string
  readonly username: string
  readonly id: number
  readonly secret: string
}

/** Parts of the server that adding a user needs. */
export interface NewUserParts {
  readonly users: Pick<Users, 'made' | 'resetPassword'> & {
    readonly directory: Pick<Users['directory'], 'byId'>
    readonly links: Pick<Users['links'], 'emailTaken'>
  }
  /** True if a user, cancelled ones included, has the name. */
  usernameTaken(username: string): Promise<boolean>
  groupExists(group: string): boolean
  /** Makes a key in a transaction; `keyMade` follows once that is committed. */
  createKey(
    trx: Transaction<Tables>,
    owner: Pick<UserRow, 'id' | 'username' | 'group'> & { readonly ip: string; readonly actor: Omit<Actor, 'ip'> },
    body: BodyOf<typeof createToken>,
  ): Promise<Pick<Token, 'id' | 'key'>>
  keyMade(id: number): void
  /** Makes a limit in a transaction; `limitMade` follows once that is committed. */
  createLimit(trx: Transaction<Tables>, change: LimitChange, by: Actor): Promise<number>
  limitMade(): Promise<void>
  readonly codes: Pick<OneTimeCodes, 'issue' | 'matches' | 'use'>
  readonly requiredWays: RequiredWays
  readonly audit: { record(trace: Trace, trx?: Transaction<Tables>): Promise<void> }
  /** Answers false where the site sends no mail, or the mail server did not take it. */
  sendInvitation(notice: UserInvitation, language: Language): Promise<boolean>
}
