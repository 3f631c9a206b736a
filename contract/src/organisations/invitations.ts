import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { idParams } from '../page.ts'
import { organisationRoles } from './organisations.ts'

/** 43 letters and digits, the part of the link behind `#`. */
const secret = z.string().regex(/^[A-Za-z0-9]{43}$/)

export const organisationInvitation = z.object({
  id: z.int(),
  team_id: z.int(),
  role: z.enum(organisationRoles),
  /** Empty for a link that anybody may use once. */
  email: z.string(),
  created_time: z.int(),
  expires_time: z.int(),
})
export type OrganisationInvitation = z.output<typeof organisationInvitation>

export const listOrganisationInvitations = endpoint({
  method: 'GET',
  path: '/api/organisation/:id/invitations',
  access: 'user',
  summary: 'Open invitations to an organisation, newest first',
  params: idParams,
  data: z.array(organisationInvitation),
})

export const inviteToOrganisation = endpoint({
  method: 'POST',
  path: '/api/organisation/:id/invitations',
  access: 'user',
  summary: 'Makes an invitation, valid for seven days and once; only this answer holds its secret',
  critical: 'mail',
  params: idParams,
  body: z.object({
    team_id: z.int().min(0),
    role: z.enum(organisationRoles),
    email: z.union([z.literal(''), z.email().max(254)]).default(''),
  }),
  data: z.object({
    secret: z.string(),
    /** True if the link was sent to the address; false also where the site sends no mail. */
    mailed: z.boolean(),
  }),
})

export const revokeOrganisationInvitation = endpoint({
  method: 'POST',
  path: '/api/organisation/:id/invitations/revoke',
  access: 'user',
  summary: 'Ends an invitation',
  params: idParams,
  body: z.object({ invitation_id: z.int().positive() }),
})

export const showOrganisationInvitation = endpoint({
  method: 'POST',
  path: '/api/organisation/invitation',
  access: 'visitor',
  summary: 'What the invitation of a link invites to',
  critical: 'proof',
  changes: false,
  body: z.object({ secret }),
  data: z.object({
    organisation: z.string(),
    team: z.string(),
    role: z.enum(organisationRoles),
    /** The address that it is for, all but its first letter and domain hidden; empty for a link that anybody may use. */
    email: z.string(),
  }),
})

export const acceptOrganisationInvitation = endpoint({
  method: 'POST',
  path: '/api/organisation/invitation/accept',
  access: 'user',
  summary: 'Joins an organisation by the link of an invitation',
  critical: 'proof',
  body: z.object({ secret }),
  data: z.object({ id: z.int() }),
})

export const joinOrganisation = endpoint({
  method: 'POST',
  path: '/api/organisation/join',
  access: 'user',
  summary: 'Joins an organisation whose e-mail domain is the own one',
  body: z.object({ organisation_id: z.int().positive() }),
})
