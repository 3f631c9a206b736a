import type { Generated } from 'kysely'
import type { Id, Time } from '#server/db/schema/columns.ts'

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

/** Groups of identity providers and the places that they give, tokens and calls. The members are in the kernel's `scim_users`. */
export interface ProvisioningTables {
  scim_tokens: ScimTokensTable
  scim_groups: ScimGroupsTable
  scim_group_members: ScimGroupMembersTable
  scim_calls: ScimCallsTable
  group_places: GroupPlacesTable
}

declare module '#server/db/schema.ts' {
  interface Tables extends ProvisioningTables {}
}
