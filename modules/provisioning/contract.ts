import { endpoint } from '@tollgate/contract/endpoint'
import { organisationRoles } from '@tollgate/contract/organisations/organisations'
import { idParams } from '@tollgate/contract/page'
import { z } from 'zod'

export const mostScimTokens = 20
export const mostGroupPlaces = 500
const longestTokenName = 60
const longestGroupName = 200

/** Roles that groups of an identity provider can give; owners are only made by owners. */
export const groupRoles = ['admin', 'billing', 'member', 'viewer'] as const
export type GroupRole = (typeof groupRoles)[number]

/** Role in the whole organisation of everybody whom the identity provider sends; `none` leaves places to groups. */
export const provisionedRoles = ['member', 'viewer', 'none'] as const
export type ProvisionedRole = (typeof provisionedRoles)[number]

export const scimToken = z.object({
  id: z.int(),
  name: z.string(),
  /** Its last characters. */
  hint: z.string(),
  made_by: z.string(),
  created_time: z.int(),
  /** 0 for a token that does not expire. */
  expires_time: z.int(),
  /** 0 for a token that was never used. */
  last_used_time: z.int(),
})
export type ScimToken = z.output<typeof scimToken>

export const provisionedGroup = z.object({
  name: z.string(),
  /** Members of the group; null for one that was chosen a place and that the identity provider has not sent. */
  members: z.int().nullable(),
  /** True if the place comes from the name of a team, and not from a choice. */
  by_name: z.boolean(),
  places: z.array(z.object({ team_id: z.int(), role: z.enum(organisationRoles) })),
})
export type ProvisionedGroup = z.output<typeof provisionedGroup>

export const scimCall = z.object({
  id: z.int(),
  token_name: z.string(),
  created_time: z.int(),
  method: z.string(),
  path: z.string(),
  status: z.int(),
  /** Why it was refused, in English; empty for what succeeded. */
  detail: z.string(),
})
export type ScimCall = z.output<typeof scimCall>

export const getProvisioning = endpoint({
  method: 'GET',
  path: '/api/organisation/:id/provisioning',
  access: 'user',
  summary:
    'What an identity provider keeps in an organisation over SCIM: tokens, groups and their places, latest calls',
  params: idParams,
  data: z.object({
    /** The path of SCIM below the site's address. */
    path: z.string(),
    /** Base address that the site is set to; empty where it is not set. */
    server_address: z.string(),
    /** The domain in which accounts of people may be linked; empty while none is proved. */
    proved_domain: z.string(),
    role: z.enum(provisionedRoles),
    /** People whom the identity provider has sent, and those of them who are suspended. */
    people: z.int(),
    suspended: z.int(),
    tokens: z.array(scimToken),
    groups: z.array(provisionedGroup),
    calls: z.array(scimCall),
  }),
})

export const setProvisioning = endpoint({
  method: 'PUT',
  path: '/api/organisation/:id/provisioning',
  access: 'user',
  summary: 'Sets the role in the organisation of people whom the identity provider sends',
  params: idParams,
  body: z.object({ role: z.enum(provisionedRoles) }),
})

export const createScimToken = endpoint({
  method: 'POST',
  path: '/api/organisation/:id/provisioning/tokens',
  access: 'user',
  summary: 'Makes a token for an identity provider; only this answer holds it',
  confirm: true,
  params: idParams,
  body: z.object({
    name: z.string().trim().min(1).max(longestTokenName),
    /** 0 for a token that does not expire. */
    days: z.int().min(0).max(3660),
  }),
  data: z.object({ token: z.string() }),
})

export const revokeScimToken = endpoint({
  method: 'POST',
  path: '/api/organisation/:id/provisioning/tokens/revoke',
  access: 'user',
  summary: 'Ends a token of an identity provider at once',
  params: idParams,
  body: z.object({ token_id: z.int().positive() }),
})

export const setGroupPlaces = endpoint({
  method: 'PUT',
  path: '/api/organisation/:id/provisioning/group',
  access: 'user',
  summary: 'Chooses the places that a group of the identity provider gives; null leaves it to the name of the group',
  params: idParams,
  body: z.object({
    name: z.string().trim().min(1).max(longestGroupName),
    places: z
      .array(z.object({ team_id: z.int().min(0), role: z.enum(groupRoles) }))
      .max(50)
      .nullable(),
  }),
})
