import type { Scope, User } from '@tollgate/contract'
import type { UserRow } from '../../db/schema.ts'

/** Actor of a change, for the audit log. */
interface Changer {
  readonly id: number
  readonly username: string
  readonly ip: string
}

/** Actions on users for signing in; `features/users` implements them. Cancelled users are unknown here. */
export interface AccountUsers {
  byId(id: number): Promise<UserRow | undefined>
  /** By username or e-mail address. */
  byLoginName(name: string): Promise<UserRow | undefined>
  byAccessTokenHash(hash: string): Promise<UserRow | undefined>
  anyOfRole(role: number): Promise<UserRow | undefined>
  /** Throws what is wrong with a field. Ends every session of the user when the password changes. */
  changeProfile(
    by: Changer,
    row: UserRow,
    change: { username?: string | undefined; display_name?: string | undefined; password?: string | undefined },
  ): Promise<void>
  setAccessTokenHash(by: Changer, row: UserRow, hash: string): Promise<void>
  /** Ends the account, its sessions and its tokens. Throws AppError('root_self_delete_denied'). */
  cancelSelf(by: Changer, row: UserRow): Promise<void>
  /** Stores another hash of the same password, unless the password has changed meanwhile. */
  storeHash(id: number, was: string, hash: string): Promise<void>
  /** Unix seconds. */
  signedIn(id: number, at: number): Promise<void>
  /** A user as its owner sees it. */
  presentOwn(row: UserRow): User
  /** Without secrets, fit for the browser's storage. */
  present(row: UserRow): User
}

/** A second factor of users; `features/second-factor` fulfils it. */
export interface SecondFactor {
  /** True if signing in takes a second step. */
  isOn(userId: number): Promise<boolean>
  /**
   * Uses an authenticator's code or a recovery code, each once; whoever asks counts the guesses. Throws
   * AppError('second_factor_wrong').
   */
  check(userId: number, code: string): Promise<void>
}

/** Named access tokens; `features/access-tokens` fulfils it. */
export interface NamedTokens {
  /** The living token of a call from an address. Throws AppError('access_token_expired'). */
  find(
    token: string,
    ip: string,
  ): Promise<{ readonly id: number; readonly userId: number; readonly scopes: readonly Scope[] } | undefined>
}
