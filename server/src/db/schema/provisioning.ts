import type { Generated } from 'kysely'
import type { Flag, Id, Time } from './columns.ts'

/** A token with which an identity provider calls SCIM. */
export interface ScimTokensTable {
  id: Id
  organisation_id: number
  name: string
  /** Keyed hash; the token itself is stored nowhere. */
  secret_hash: string
  /** Its last characters. */
  hint: string
  made_by: number
  created_time: Time
  /** 0 for a token that does not expire. */
  expires_time: Time
  last_used_time: Generated<Time>
}

/** A member as the identity provider sees it. */
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

/** A group of the identity provider. */
export interface ScimGroupsTable {
  id: Id
  organisation_id: number
  name: string
  /** The name in lower case. */
  name_key: string
  external_id: string
  version: number
  created_time: Time
  changed_time: Time
}

export interface ScimGroupMembersTable {
  id: Id
  group_id: number
  user_id: number
}

/** Result of one of the latest calls of an identity provider. */
export interface ScimCallsTable {
  id: Id
  organisation_id: number
  /** Name of the token. */
  token_name: string
  created_time: Time
  method: string
  path: string
  status: number
  /** Why it was refused; empty for what succeeded. */
  detail: string
}

/** The place that a group of an identity provider gives its members. */
export interface GroupPlacesTable {
  id: Id
  organisation_id: number
  group_name: string
  /** The name in lower case. */
  group_key: string
  /** 0 for the whole organisation. */
  team_id: number
  role: string
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

/** Members and groups that an identity provider keeps. */
export interface ProvisioningTables {
  scim_tokens: ScimTokensTable
  scim_users: ScimUsersTable
  scim_groups: ScimGroupsTable
  scim_group_members: ScimGroupMembersTable
  scim_calls: ScimCallsTable
  group_places: GroupPlacesTable
  given_roles: GivenRolesTable
}
