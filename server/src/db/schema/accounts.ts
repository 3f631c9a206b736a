import type { Generated, Selectable } from 'kysely'
import type { Id, LedgerQuota, Time } from './columns.ts'

export interface UsersTable {
  id: Id
  username: string
  password: string
  display_name: string
  role: number
  status: number
  email: string
  github_id: string
  oidc_id: string
  wechat_id: string
  telegram_id: string
  linux_do_id: string
  /** Keyed hash of the system access token; null when there is none. */
  access_token_hash: string | null
  quota: LedgerQuota
  used_quota: LedgerQuota
  request_count: LedgerQuota
  group: string
  aff_code: string
  aff_count: number
  aff_quota: LedgerQuota
  aff_history_quota: LedgerQuota
  inviter_id: number
  deleted_at: Time | null
  /** JSON text, see `userSetting` of the contract. */
  setting: string
  created_time: Time
  last_login_time: Time
  /** Greater than 0 in the wallet of an organisation, which cannot sign in. */
  organisation_id: Generated<number>
  /** JSON, see `staffGrant` of the contract; null for everything that the role may. */
  staff_permissions: string | null
}

export type UserRow = Selectable<UsersTable>

/** A signed-in browser. The cookie holds a random id; only its keyed hash is stored. */
export interface SessionsTable {
  id_hash: string
  user_id: number
  created_time: Time
  last_seen_time: Time
  expires_time: Time
  ip: string
  user_agent: string
  /** When it last proved more than its cookie (second factor, password or another way); 0 when it never did. */
  confirmed_time: Generated<Time>
  /** The identity provider that it began with; 0 for other ways of signing in. */
  provider_id: Generated<number>
  /** Keyed hash of who it is at the provider; null without one. */
  provider_subject: string | null
  /** Keyed hash of the provider's own name for the session; null where it has none. */
  provider_session: string | null
  /** Data for signing out at the provider, encrypted; null without a provider. */
  logout_cipher: string | null
}

/** A key of the site itself, made when it is needed first. */
export interface SiteKeysTable {
  name: string
  /** PEM, encrypted. */
  key_cipher: string
  /** PEM. */
  certificate: string
  created_time: Time
}

/** A named token for the console's API; only its keyed hash is stored. */
export interface AccessTokensTable {
  id: Id
  user_id: number
  name: string
  token_hash: string
  /** The last characters of the token. */
  hint: string
  /** JSON list, see `scopes` of the contract. */
  scopes: string
  created_time: Time
  /** 0 for never. */
  expires_time: Time
  /** 0 before the first use; written at most once a minute. */
  last_used_time: Time
  last_used_ip: string
}

/** A short secret sent to a user, e.g. by mail; a new one replaces the old. */
export interface OneTimeCodesTable {
  id: Id
  purpose: string
  /** Keyed hash of who it was sent to. */
  subject_hash: string
  code_hash: string
  /** Wrong guesses so far. */
  attempts: number
  created_time: Time
  expires_time: Time
}

/** Something begun in one browser that has to come back to it: a third-party sign-in, a second step. */
export interface ChallengesTable {
  id_hash: string
  purpose: string
  /** 0 when no user is known yet. */
  user_id: number
  /** Keyed hash of a cookie; empty when the id itself is one. */
  browser_hash: string
  /** JSON, encrypted. */
  data_cipher: string
  created_time: Time
  expires_time: Time
}

/** Identities of a user at providers, by ids that never change hands; `email` is a provider too, its subject in lower case. */
export interface IdentitiesTable {
  id: Id
  provider: string
  subject: string
  user_id: number
  /** Name that its owner chose. */
  name: string
  created_time: Time
}

/** An external identity provider of the site or of an organisation. */
export interface IdentityProvidersTable {
  id: Id
  /** 0 for the site's. */
  organisation_id: number
  slug: string
  name: string
  icon: string
  enabled: number
  /** JSON, see `providerConnection` of the contract. */
  connection: string
  /** The client secret, encrypted; empty without. */
  secret_cipher: string
  sign_up: number
  /** Separated by commas. Of an organisation's provider the domain that it is enforced for. */
  domains: string
  enforced: number
  /** The domain that an organisation's provider is enforced for; null for all others. Unique: servers of an earlier version rely on it. */
  enforced_domain: Generated<string | null>
  /** JSON, see `membershipRule` of the contract. */
  rules: string
  replaces_manual: number
  /** Unix seconds when an owner of the organisation first signed in by it as it is now; 0 for never, and for the site's. */
  owner_sign_in_time: Generated<Time>
  created_time: Time
  changed_time: Time
}

/** The one provider that is enforced for a domain. */
export interface EnforcedDomainsTable {
  domain: string
  provider_id: number
}

/** A time-based one-time password. */
export interface SecondFactorsTable {
  user_id: number
  secret_cipher: string
  /** 0 until the first right code. */
  confirmed_time: Time
  /** Last step that was used, so that a code works once. */
  last_step: number
  /** Attempts since the last right code, counted before they are looked at. */
  failures: Generated<number>
  last_failure_time: Generated<Time>
  created_time: Time
}

export interface RecoveryCodesTable {
  id: Id
  user_id: number
  code_hash: string
  created_time: Time
}

/** How many notices of a kind a user got in the stretch of time that began at `sent_time`. */
export interface NoticeMarksTable {
  id: Id
  user_id: number
  kind: string
  sent_time: Time
  sent_count: number
}

/** A notice that is still to be delivered. */
export interface NoticeDeliveriesTable {
  id: Id
  user_id: number
  kind: string
  way: 'email' | 'webhook'
  /** JSON: title, content, values, timestamp. */
  body: string
  attempts: number
  created_time: Time
  next_time: Time
  last_error: string
}

/** A user's choices for the console, one row per choice, so that a write replaces that choice alone. */
export interface PreferencesTable {
  id: Id
  user_id: number
  /** E.g. `time_zone` or `table.logs`. */
  name: string
  /** JSON. */
  value: string
  changed_time: Time
}

/** An operator's note about a user. */
/** State of a throttle of guesses, see `features/accounts/waits/stored-waits.ts`; times in unix milliseconds. */
export interface GuessWaitsTable {
  /** Kind of the guessed secret, and a hash of its owner or of the client's address. */
  name: string
  /** `login` or `redeem`. */
  guessed: string
  count: number
  blocked_until: Time
  last_time: Time
  kept_until: Time
}

/** Accounts with their sign-in methods and preferences. */
export interface AccountTables {
  users: UsersTable
  sessions: SessionsTable
  site_keys: SiteKeysTable
  access_tokens: AccessTokensTable
  one_time_codes: OneTimeCodesTable
  challenges: ChallengesTable
  identities: IdentitiesTable
  identity_providers: IdentityProvidersTable
  enforced_domains: EnforcedDomainsTable
  second_factors: SecondFactorsTable
  guess_waits: GuessWaitsTable
  recovery_codes: RecoveryCodesTable
  notice_marks: NoticeMarksTable
  notice_deliveries: NoticeDeliveriesTable
  preferences: PreferencesTable
}
