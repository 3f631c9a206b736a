import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { idParams } from '../page.ts'

export const identityProviderKinds = ['oidc', 'saml'] as const
export type IdentityProviderKind = (typeof identityProviderKinds)[number]

/** Marks that the login page draws. */
export const identityProviderIcons = ['key', 'google', 'microsoft', 'building'] as const
export type IdentityProviderIcon = (typeof identityProviderIcons)[number]

/** Roles that a group can give; owners are named by hand. */
export const mappedRoles = ['admin', 'billing', 'member', 'viewer'] as const

export const mostIdentityProviders = 100
export const mostMembershipRules = 200

/** Other ways to sign in and calls have these names in their addresses. */
const reserved = new Set(['github', 'linuxdo', 'oidc', 'wechat', 'telegram', 'discord', 'email', 'state', 'bindings'])

/** The name of a provider in addresses. */
export const providerSlug = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,38}[a-z0-9]$/)
  .refine((slug) => !reserved.has(slug))

const text = z.string().trim().max(500)
const address = z.url({ protocol: /^https?$/ }).max(1000)
const domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/)

/** Name of a claim or attribute; a point leads into an object, as in `realm_access.roles`. */
const claim = z.string().trim().max(255)

export const oidcConnection = z.object({
  kind: z.literal('oidc'),
  /** The provider describes itself at `<issuer>/.well-known/openid-configuration`. */
  issuer: address,
  client_id: z.string().trim().min(1).max(500),
  scopes: z.string().trim().min(1).max(500).default('openid profile email'),
  groups_claim: claim.default('groups'),
  /** True if signing out here ends the session at the provider, too, where it has an address for that. */
  signs_out: z.boolean().default(false),
})

export const samlConnection = z.object({
  kind: z.literal('saml'),
  /** Entity id of the identity provider. */
  issuer: z.string().trim().min(1).max(1000),
  /** Address of the single sign-on service; the browser is redirected to it. */
  sign_in_url: address,
  /** Address of the single logout service, by redirect; empty if signing out here leaves the provider's session open. */
  logout_url: z.union([z.literal(''), address]).default(''),
  /** True if requests to sign in are signed; those to sign out always are. */
  signs_requests: z.boolean().default(false),
  /** In PEM, or the base64 of metadata; more than one while the provider changes its key. */
  certificates: z.array(z.string().trim().min(1).max(10_000)).min(1).max(5),
  /** Takes answers that were not asked for, which people open from the provider's own page. */
  idp_initiated: z.boolean().default(false),
  /** Attributes; an empty name reads the NameID for the address, and nothing for the others. */
  email_attribute: claim.default('email'),
  name_attribute: claim.default('displayName'),
  groups_attribute: claim.default('groups'),
})

export const providerConnection = z.discriminatedUnion('kind', [oidcConnection, samlConnection])
export type ProviderConnection = z.output<typeof providerConnection>

/** Gives a role in the organisation (team 0) or in a team to users whose groups claim has the value. */
export const membershipRule = z.object({
  /** `*` fits everybody who signs in by the provider. */
  value: z.string().trim().min(1).max(255),
  organisation_id: z.int().positive(),
  team_id: z.int().min(0),
  role: z.enum(mappedRoles),
})
export type MembershipRule = z.output<typeof membershipRule>

const fields = {
  slug: providerSlug,
  name: z.string().trim().min(1).max(60),
  icon: z.enum(identityProviderIcons).default('key'),
  enabled: z.boolean().default(true),
  connection: providerConnection,
  /** True if people without an account get one. */
  sign_up: z.boolean().default(true),
  /** Domains of addresses that the provider vouches for; of an organisation's provider the one that it is enforced for. */
  domains: z.array(domain).max(50).default([]),
  /** True if people with an address of these domains can sign in by this provider alone. */
  enforced: z.boolean().default(false),
  rules: z.array(membershipRule).max(mostMembershipRules).default([]),
  /** True if rules also change roles that were given by hand; owners keep theirs. */
  replaces_manual: z.boolean().default(false),
}

/** `client_secret` undefined keeps the stored one; empty removes it. */
export const identityProviderChange = z.object({ ...fields, client_secret: text.optional() })
export type IdentityProviderChange = z.output<typeof identityProviderChange>

export const identityProvider = z.object({
  ...fields,
  id: z.int(),
  slug: z.string(),
  organisation_id: z.int(),
  has_secret: z.boolean(),
  /** Unix seconds when an owner of the organisation first signed in by it; 0 for never, and for the site's. */
  owner_sign_in_time: z.int(),
  created_time: z.int(),
  changed_time: z.int(),
})
export type IdentityProvider = z.output<typeof identityProvider>

/** Provider as the login page shows it. */
export const shownProvider = z.object({
  slug: z.string(),
  name: z.string(),
  icon: z.enum(identityProviderIcons),
})
export type ShownProvider = z.output<typeof shownProvider>

export const listIdentityProviders = endpoint({
  method: 'GET',
  path: '/api/identity_providers',
  access: 'admin',
  summary: 'Identity providers of the site',
  data: z.array(identityProvider),
})

export const createIdentityProvider = endpoint({
  method: 'POST',
  path: '/api/identity_providers',
  access: 'root',
  summary: 'Adds an identity provider of the site',
  body: identityProviderChange,
  data: identityProvider,
})

export const updateIdentityProvider = endpoint({
  method: 'PUT',
  path: '/api/identity_providers/:id',
  access: 'root',
  summary: 'Changes an identity provider of the site',
  params: idParams,
  body: identityProviderChange,
  data: identityProvider,
})

export const deleteIdentityProvider = endpoint({
  method: 'DELETE',
  path: '/api/identity_providers/:id',
  access: 'root',
  summary: 'Removes an identity provider of the site, and the links of accounts to it',
  params: idParams,
})

/** Result of a provider's test. */
const tested = z.object({
  /** How the provider names itself. */
  issuer: z.string(),
  sign_in_url: z.string(),
  /** Keys or certificates that its answers may be signed with. */
  keys: z.int(),
  /** Unix seconds when the last certificate ends; 0 where there are none. */
  expires_time: z.int(),
})
export type TestedProvider = z.output<typeof tested>

export const testIdentityProvider = endpoint({
  method: 'POST',
  path: '/api/identity_providers/test',
  access: 'root',
  changes: false,
  summary: 'Reads what an identity provider says about itself, or its certificates, without saving anything',
  body: z.object({ connection: providerConnection }),
  data: tested,
})

const organisationProvider = idParams.extend({ provider: z.coerce.number().int().positive() })

export const listOrganisationProviders = endpoint({
  method: 'GET',
  path: '/api/organisation/:id/identity_providers',
  access: 'user',
  summary: 'Identity providers of an organisation, for its owners',
  params: idParams,
  data: z.object({
    /** True if the site lets organisations have their own. */
    open: z.boolean(),
    /** The domain that the organisation proved by its DNS, and may enforce a provider for; empty without one. */
    proved_domain: z.string(),
    items: z.array(identityProvider),
  }),
})

export const createOrganisationProvider = endpoint({
  method: 'POST',
  path: '/api/organisation/:id/identity_providers',
  access: 'user',
  summary: 'Adds an identity provider of an organisation',
  params: idParams,
  body: identityProviderChange,
  data: identityProvider,
})

export const testOrganisationProvider = endpoint({
  method: 'POST',
  path: '/api/organisation/:id/identity_providers/test',
  access: 'user',
  changes: false,
  summary: 'Reads what an identity provider says about itself, or its certificates, for owners of an organisation',
  params: idParams,
  body: z.object({ connection: providerConnection }),
  data: tested,
})

export const updateOrganisationProvider = endpoint({
  method: 'PUT',
  path: '/api/organisation/:id/identity_providers/:provider',
  access: 'user',
  summary: 'Changes an identity provider of an organisation',
  params: organisationProvider,
  body: identityProviderChange,
  data: identityProvider,
})

export const deleteOrganisationProvider = endpoint({
  method: 'DELETE',
  path: '/api/organisation/:id/identity_providers/:provider',
  access: 'user',
  summary: 'Removes an identity provider of an organisation, and the links of accounts to it',
  params: organisationProvider,
})
