import type { OptionKey, OptionValue, SignInResult } from '@tollgate/contract'
import type { UserRow } from '../../db/schema.ts'
import type { ConsoleClient } from '../../http/client.ts'
import type { ConsoleCaller, Cookie } from '../../http/route.ts'
import type { Identity, IdentityIssuer } from '../../verification/identities.ts'
import type { EndedAtProvider, ProviderSession } from '../../verification/provider-session.ts'

/** The operator's settings; secrets in clear. */
export type ReadOption = <K extends OptionKey>(key: K) => OptionValue<K>

/** The user who changes the own account, for the trail. */
export interface AccountChanger {
  readonly id: number
  readonly username: string
  readonly ip: string
}

/** Ready to be a handler's answer. */
export interface ThirdPartyAnswer {
  readonly data: SignInResult
  readonly cookies: readonly Cookie[]
}

/** Actions on users and accounts for third-party sign-in; `features/third-party/join.ts` provides them. */
export interface ThirdPartyAccounts {
  /** User who has proved to read this address; cancelled users are unknown. */
  byProvenAddress(
    email: string,
  ): Promise<
    { readonly id: number; readonly username: string; readonly isRoot: boolean; readonly isStaff: boolean } | undefined
  >
  /** Cancelled users included. */
  byId(id: number): Promise<UserRow | undefined>
  /**
   * Makes an ordinary user without a password, with what new users and their inviters get, and answers the id. Throws
   * AppError('username_taken' | 'identity_taken' | 'email_taken').
   */
  register(user: {
    readonly username: string
    readonly displayName: string
    readonly identities: readonly Identity[]
    /** Empty for none; an unknown one is ignored. */
    readonly inviteCode: string
  }): Promise<number>
  /** The second step, or a session. `how` is the provider's name, for the trail; `sso:<slug>` for an identity provider's. */
  signInAs(userId: number, client: ConsoleClient, how: string, at?: ProviderSession): Promise<ThirdPartyAnswer>
  /** Ends sessions because the identity provider ended its own. */
  endAtProvider(at: EndedAtProvider, visitor: { readonly ip: string; readonly userAgent: string }): Promise<void>
  /** Throws AppError('identity_taken'). */
  link(by: AccountChanger, identity: Identity): Promise<void>
  /** Throws AppError('last_sign_in') when another one was removed in the same moment. */
  unlink(by: AccountChanger, provider: IdentityIssuer): Promise<void>
  /** True if a way to sign in opens the account that is neither a password nor an account elsewhere. */
  opensBySignInWay(userId: number): Promise<boolean>
  /** Throws AppError('confirmation_required') where the account is protected and the session is not fresh. */
  assertConfirmed(caller: ConsoleCaller): Promise<void>
}

/** The browser at the other end, as far as these calls look at it. */
export interface Visitor {
  readonly client: ConsoleClient
  readonly caller: ConsoleCaller | undefined
  /** Value of the cookie that ties a way to a provider to one browser. */
  readonly browser: string | undefined
  header(name: string): string | undefined
}
