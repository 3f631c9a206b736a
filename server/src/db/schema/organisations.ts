import type { Generated } from 'kysely'
import type { Flag, Id, Time } from './columns.ts'

export interface OrganisationsTable {
  id: Id
  name: string
  /** The row of `users` that holds its money; it cannot sign in. */
  wallet_user_id: number
  /** Domain whose addresses may join on registration; empty for none. */
  domain: string
  /** The domain that was proved by a record of its DNS; null for none. */
  domain_proof: Generated<string | null>
  /** When; 0 for never. */
  domain_proved_time: Generated<Time>
  /** When that record was seen last. */
  domain_seen_time: Generated<Time>
  /** When it is looked at next, see `features/organisations/domains/domain-looks.ts`. */
  domain_look_time: Generated<Time>
  /** Since when it is missing; 0 while it is there. */
  domain_missed_time: Generated<Time>
  /** Looks in a row that found none. */
  domain_misses: Generated<number>
  /** Role in the whole organisation of members whom its identity provider sends; null for member, empty for none. */
  provisioned_role: Generated<string | null>
  /** Names of the models that its keys may use, separated by commas; null or empty for all. */
  models: Generated<string | null>
  /** JSON of the channels that its keys may use, see `channelFence`; null for all. */
  channels: Generated<string | null>
  /** IANA name; null for UTC. */
  time_zone: Generated<string | null>
  created_time: Time
  deleted_at: Time | null
}

export interface TeamsTable {
  id: Id
  organisation_id: number
  name: string
  /** Names of the models that its keys may use, separated by commas; empty for all. */
  models: string
  /** As in `organisations`. */
  channels: Generated<string | null>
  created_time: Time
  deleted_at: Time | null
}

export interface ProjectsTable extends TeamsTable {
  team_id: number
}

/** The role of a person in a team, or in the whole organisation where `team_id` is 0. */
export interface MembershipsTable {
  id: Id
  organisation_id: number
  team_id: number
  user_id: number
  role: string
  created_time: Time
  /** Not read any more: who gave a role is in `given_roles`. It stays for servers of the version before, which may run beside this one. */
  provider_id: Generated<number>
}

/** Sources of a member's role in a place: the effective role, in `memberships`, is the highest of these. */
export interface GivenRolesTable {
  id: Id
  organisation_id: number
  team_id: number
  user_id: number
  /** `hand`, `scim`, or the name of a sign-in provider. */
  source: string
  role: string
}

/**
 * A member as an identity provider sees it, written by the module that serves identity providers. A suspension is read wherever
 * members are: it holds whether or not that module is there.
 */
export interface ScimUsersTable {
  id: Id
  organisation_id: number
  user_id: number
  user_name: string
  /** The name in lower case behind `=`; `-` and the user's number once removed, so that the name is free again. */
  name_key: string
  /** Empty for none. */
  external_id: string
  /** `active`, `suspended` or `removed`. */
  state: string
  /** 1 where the account was made for the organisation, 0 where a person's own was linked. */
  made_account: Flag
  /** The attributes of SCIM, as JSON. */
  attributes: string
  /** Counts changes, for ETags. */
  version: number
  created_time: Time
  changed_time: Time
}

export interface OrganisationInvitationsTable {
  id: Id
  organisation_id: number
  team_id: number
  role: string
  /** Invited address; empty for a link. */
  email: string
  /** Keyed hash of the link's secret. */
  secret_hash: string
  invited_by: number
  created_time: Time
  expires_time: Time
  /** 0 until it is accepted. */
  accepted_by: Generated<number>
}

/** Spending cap of a member or a project on an organisation's wallet. */
export interface SpendCapsTable {
  id: Id
  organisation_id: number
  subject: string
  /** A user or a project. */
  subject_id: number
  period: string
  /** Quota units. */
  amount: number
}

/** Spending under a cap in one window; the id is the account's in the ledger (`ledger/caps/cap-accounts.ts`). */
export interface SpendWindowsTable {
  id: number
  cap_id: number
  /** Only the ledger changes it. */
  spent: number
}

/** Organisations, and what bounds the spending of their members and projects. */
export interface OrganisationTables {
  organisations: OrganisationsTable
  teams: TeamsTable
  projects: ProjectsTable
  memberships: MembershipsTable
  given_roles: GivenRolesTable
  scim_users: ScimUsersTable
  organisation_invitations: OrganisationInvitationsTable
  spend_caps: SpendCapsTable
  spend_windows: SpendWindowsTable
}
