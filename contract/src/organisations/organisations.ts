import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { idParams } from '../page.ts'
import { isTimeZone } from '../time-zone.ts'

/** Roles in a whole organisation; `billing` is about its money, `viewer` reads figures only. */
export const organisationRoles = ['owner', 'admin', 'billing', 'member', 'viewer'] as const
export type OrganisationRole = (typeof organisationRoles)[number]
/** Roles in one team. */
export const teamRoles = ['admin', 'member', 'viewer'] as const
export const capPeriods = ['day', 'month', 'total'] as const

export const longestOrganisationName = 60
const name = z.string().trim().min(1).max(longestOrganisationName)
const id = z.int().positive()
/** 0 for what is new, or for the whole organisation. */
const idOrNone = z.int().min(0)
const modelNames = z.array(z.string().min(1).max(255)).max(500)

/** Permissions that a role can give in an organisation or in a team. */
export const organisationActions = [
  'read_all',
  'use',
  'manage_keys',
  'manage_projects',
  'manage_members',
  'manage_caps',
  'pay_in',
  'pay_out',
  'manage_organisation',
] as const
export type OrganisationAction = (typeof organisationActions)[number]

export const spendCap = z.object({
  period: z.enum(capPeriods),
  /** Quota units. */
  amount: z.int(),
  /** Quota units spent in the present window. */
  spent: z.int(),
})
export type SpendCap = z.output<typeof spendCap>

export const organisationMember = z.object({
  user_id: z.int(),
  username: z.string(),
  display_name: z.string(),
  /** Role in the whole organisation; null where the person only belongs to teams. */
  role: z.enum(organisationRoles).nullable(),
  teams: z.array(z.object({ team_id: z.int(), role: z.enum(teamRoles) })),
  /** True if the identity provider has suspended the person: no access, no keys, until it resumes them. */
  suspended: z.boolean(),
  keys: z.int(),
  /** Quota units in this calendar month (UTC); null for readers who may not see what others spend. */
  spent: z.int().nullable(),
  cap: spendCap.nullable(),
})
export type OrganisationMember = z.output<typeof organisationMember>

export const organisationProject = z.object({
  id: z.int(),
  team_id: z.int(),
  name: z.string(),
  models: z.array(z.string()),
  keys: z.int(),
  spent: z.int().nullable(),
  cap: spendCap.nullable(),
})
export type OrganisationProject = z.output<typeof organisationProject>

export const organisationTeam = z.object({ id: z.int(), name: z.string(), models: z.array(z.string()) })
export type OrganisationTeam = z.output<typeof organisationTeam>

export const organisation = z.object({
  id: z.int(),
  name: z.string(),
  domain: z.string(),
  /** IANA name: the months of statements. */
  time_zone: z.string(),
  /** Models that keys of the organisation may use; empty for all. */
  models: z.array(z.string()),
  /** Role of the reader; null where they only belong to teams. */
  role: z.enum(organisationRoles).nullable(),
  /** Permissions of the reader in the whole organisation. */
  may: z.array(z.enum(organisationActions)),
  /** True if the reader may set up identity providers of the organisation: owners, where the site lets organisations have them. */
  own_providers: z.boolean(),
  /** Quota units of the wallet; null for readers who may not see it. */
  balance: z.int().nullable(),
  /** Quota units spent this month (UTC), by all or, for readers who may not see that, by themselves. */
  spent: z.int(),
  teams: z.array(organisationTeam),
  projects: z.array(organisationProject),
  members: z.array(organisationMember),
})
export type Organisation = z.output<typeof organisation>

export const listOrganisations = endpoint({
  method: 'GET',
  path: '/api/organisation/',
  access: 'user',
  summary: 'Own organisations, and those that the own e-mail domain may join',
  data: z.object({
    /** True if the reader may found one. */
    may_found: z.boolean(),
    items: z.array(z.object({ id: z.int(), name: z.string(), role: z.enum(organisationRoles).nullable() })),
    joinable: z.array(z.object({ id: z.int(), name: z.string() })),
  }),
})

export const foundOrganisation = endpoint({
  method: 'POST',
  path: '/api/organisation/',
  access: 'user',
  summary: 'Founds an organisation; the caller is its owner',
  body: z.object({ name }),
  data: z.object({ id: z.int() }),
})

export const getOrganisation = endpoint({
  method: 'GET',
  path: '/api/organisation/:id',
  access: 'user',
  summary: 'An organisation as the caller may see it',
  params: idParams,
  data: organisation,
})

/** How many organisations administrators are shown. */
export const mostSiteOrganisations = 500

export const listSiteOrganisations = endpoint({
  method: 'GET',
  path: '/api/organisation/site',
  access: 'admin',
  summary: 'The organisations of the site, the newest first, with their wallets',
  query: z.object({ keyword: z.string().max(longestOrganisationName).default('') }),
  data: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      domain: z.string(),
      wallet_user_id: z.int(),
      balance: z.int(),
      used: z.int(),
      members: z.int(),
      created_time: z.int(),
    }),
  ),
})

export const getSiteOrganisation = endpoint({
  method: 'GET',
  path: '/api/organisation/site/:id',
  access: 'admin',
  summary: 'An organisation of the site as administrators see it: all of it, and nothing that they may change',
  params: idParams,
  data: organisation,
})

export const updateOrganisation = endpoint({
  method: 'PUT',
  path: '/api/organisation/:id',
  access: 'user',
  summary: 'Changes the name of an organisation, the e-mail domain whose people may join, and the models of its keys',
  params: idParams,
  body: z.object({
    name,
    /** Empty for none. */
    domain: z.string().trim().toLowerCase().max(253),
    /** Empty for all; left as they are when absent. */
    models: modelNames.optional(),
    time_zone: z.string().max(64).refine(isTimeZone).optional(),
  }),
})

/** A record of the DNS of a domain (TXT). */
const domainProof = z.object({ name: z.string(), value: z.string() })
export type DomainProof = z.output<typeof domainProof>

const provableDomain = z
  .string()
  .trim()
  .toLowerCase()
  .max(240)
  .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/)

export const getDomainProof = endpoint({
  method: 'GET',
  path: '/api/organisation/:id/domain',
  access: 'user',
  summary: 'The record that proves an e-mail domain to be the organisation’s',
  params: idParams,
  query: z.object({ domain: provableDomain }),
  data: domainProof.extend({
    /** Unix seconds of the proof; 0 where there is none. */
    proved_time: z.int(),
    /** When the record was seen last. */
    seen_time: z.int(),
    /** Since when it is missing, and when the proof ends for that at the earliest; 0 while it is there. */
    missed_time: z.int(),
    ends_time: z.int(),
  }),
})

export const proveDomain = endpoint({
  method: 'POST',
  path: '/api/organisation/:id/domain',
  access: 'user',
  critical: 'begin',
  summary: 'Looks for the record in the DNS, and makes the domain the organisation’s',
  params: idParams,
  body: z.object({ domain: provableDomain }),
})

export const saveTeam = endpoint({
  method: 'PUT',
  path: '/api/organisation/:id/team',
  access: 'user',
  summary: 'Makes a team, changes it or archives it; keys of an archived one stop working',
  params: idParams,
  body: z.object({ team_id: idOrNone, name, models: modelNames.default([]), archived: z.boolean().default(false) }),
  data: z.object({ id: z.int() }),
})

export const saveProject = endpoint({
  method: 'PUT',
  path: '/api/organisation/:id/project',
  access: 'user',
  summary: 'Makes a project of a team, changes it or archives it; keys of an archived one stop working',
  params: idParams,
  body: z.object({
    project_id: idOrNone,
    team_id: id,
    name,
    models: modelNames.default([]),
    archived: z.boolean().default(false),
  }),
  data: z.object({ id: z.int() }),
})

export const setMember = endpoint({
  method: 'PUT',
  path: '/api/organisation/:id/member',
  access: 'user',
  summary: 'Sets the role of a member in the organisation (team 0) or in a team; null takes it away',
  params: idParams,
  body: z.object({ user_id: id, team_id: idOrNone, role: z.enum(organisationRoles).nullable() }),
})

export const removeMember = endpoint({
  method: 'POST',
  path: '/api/organisation/:id/member/remove',
  access: 'user',
  summary: 'Takes a person out of an organisation, or leaves it; their keys there are switched off',
  params: idParams,
  body: z.object({ user_id: id }),
})

export const setSpendCap = endpoint({
  method: 'PUT',
  path: '/api/organisation/:id/cap',
  access: 'user',
  summary: 'Caps what a member or project may spend; without an amount the cap goes',
  params: idParams,
  body: z.object({
    subject: z.enum(['member', 'project']),
    subject_id: id,
    period: z.enum(capPeriods).default('month'),
    amount: z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullable(),
  }),
})

/** `transfer_id` makes a repeat harmless. */
export const transferToOrganisation = endpoint({
  method: 'POST',
  path: '/api/organisation/:id/transfer',
  access: 'user',
  summary: "Moves quota from the caller's wallet to the organisation's, or back",
  params: idParams,
  body: z.object({
    direction: z.enum(['in', 'out']),
    amount: z.int().positive().max(Number.MAX_SAFE_INTEGER),
    transfer_id: z.string().regex(/^[\w-]{8,64}$/),
  }),
})

export const spendGroups = ['project', 'member', 'tag'] as const

export const getOrganisationSpend = endpoint({
  method: 'GET',
  path: '/api/organisation/:id/spend',
  access: 'user',
  summary: 'What an organisation spent between two times, by project and member, or by the values of a cost tag',
  params: idParams,
  query: z.object({
    from: z.coerce.number().int().min(0).default(0),
    to: z.coerce.number().int().min(0).default(0),
    tag: z.string().max(40).default(''),
  }),
  data: z.array(
    z.object({
      project_id: z.int(),
      member_id: z.int(),
      /** Value of the tag that was asked for; empty without. */
      tag: z.string(),
      quota: z.int(),
      count: z.int(),
    }),
  ),
})
