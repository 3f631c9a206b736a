import { type OrganisationAction, type OrganisationRole, organisationActions, userStatus } from '@tollgate/contract'
import type { ExpressionBuilder, Kysely } from 'kysely'
import type { Tables } from '../../db/schema.ts'
import { AppError } from '../../lib/app-error.ts'

const actionsOf: Readonly<Record<OrganisationRole, ReadonlySet<OrganisationAction>>> = {
  owner: new Set(organisationActions),
  admin: new Set(['read_all', 'use', 'manage_keys', 'manage_projects', 'manage_members', 'manage_caps']),
  billing: new Set(['read_all', 'manage_caps', 'pay_in']),
  member: new Set(['use']),
  viewer: new Set([]),
}

/** A person's place in an organisation. */
export interface OrganisationAccess {
  readonly organisationId: number
  readonly name: string
  readonly domain: string
  /** Separated by commas; empty for all. */
  readonly models: string
  /** IANA name. */
  readonly timeZone: string
  /** The user whose balance is the wallet. */
  readonly walletId: number
  readonly userId: number
  /** Role in the whole organisation; undefined where the person only belongs to teams. */
  readonly role: OrganisationRole | undefined
  readonly teams: ReadonlyMap<number, OrganisationRole>
  /** True for an administrator of the site, who reads everything and changes nothing. */
  readonly ofSite?: true
}

const roles: ReadonlySet<string> = new Set(Object.keys(actionsOf))
const isRole = (text: string): text is OrganisationRole => roles.has(text)

const readOrganisation = async (on: Kysely<Tables>, organisationId: number) => {
  const row = await on
    .selectFrom('organisations')
    .select(['name', 'domain', 'models', 'time_zone', 'wallet_user_id as walletId'])
    .where('id', '=', organisationId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw new AppError('not_found')
  const { models, time_zone, ...rest } = row
  return { organisationId, ...rest, models: models ?? '', timeZone: time_zone ?? 'UTC' }
}

/** Memberships `m` that no identity provider has suspended. */
export const notSuspended = ({
  not,
  exists,
  selectFrom,
}: ExpressionBuilder<Tables & { m: Tables['memberships'] }, 'm'>) =>
  not(
    exists(
      selectFrom('scim_users')
        .select('scim_users.id')
        .whereRef('scim_users.organisation_id', '=', 'm.organisation_id')
        .whereRef('scim_users.user_id', '=', 'm.user_id')
        .where('scim_users.state', '=', 'suspended'),
    ),
  )

/** True if an identity provider has suspended the person in the organisation: what they are there counts again later. */
const isSuspended = async (on: Kysely<Tables>, organisationId: number, userId: number): Promise<boolean> =>
  (await on
    .selectFrom('scim_users')
    .select('id')
    .where('organisation_id', '=', organisationId)
    .where('user_id', '=', userId)
    .where('state', '=', 'suspended')
    .executeTakeFirst()) !== undefined

/** Reads the place of a person. Throws `not_found` where there is none: organisations of others do not exist for them. */
export const accessTo = async (
  on: Kysely<Tables>,
  organisationId: number,
  userId: number,
): Promise<OrganisationAccess> => {
  const place = await placeOf(on, organisationId, userId)
  if (await isSuspended(on, organisationId, userId)) throw new AppError('not_found')
  return place
}

/** The place of a person who can sign in; undefined for everybody else. */
export const enabledAccess = async (
  on: Kysely<Tables>,
  organisationId: number,
  userId: number,
): Promise<OrganisationAccess | undefined> => {
  const user = await on
    .selectFrom('users')
    .select('status')
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (user?.status !== userStatus.enabled) return undefined
  return accessTo(on, organisationId, userId).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return undefined
    throw error
  })
}

/** The place of a person about whom others decide, suspended or not. Throws `not_found`. */
export const placeOf = async (
  on: Kysely<Tables>,
  organisationId: number,
  userId: number,
): Promise<OrganisationAccess> => {
  const organisation = await readOrganisation(on, organisationId)
  const memberships = await on
    .selectFrom('memberships')
    .select(['team_id', 'role'])
    .where('organisation_id', '=', organisationId)
    .where('user_id', '=', userId)
    .execute()
  if (memberships.length === 0) throw new AppError('not_found')
  const teams = new Map<number, OrganisationRole>()
  let role: OrganisationRole | undefined
  for (const membership of memberships) {
    if (!isRole(membership.role)) continue
    if (membership.team_id === 0) role = membership.role
    else teams.set(membership.team_id, membership.role)
  }
  return { ...organisation, userId, role, teams }
}

/** Access of a site's administrator to an organisation. Throws `not_found`. */
export const siteAccessTo = async (
  on: Kysely<Tables>,
  organisationId: number,
  userId: number,
): Promise<OrganisationAccess> => ({
  ...(await readOrganisation(on, organisationId)),
  userId,
  role: undefined,
  teams: new Map(),
  ofSite: true,
})

/** The one rule of what a person may do: in the whole organisation (team 0), or in a team by either role. */
export const may = ({ role, teams, ofSite }: OrganisationAccess, action: OrganisationAction, teamId = 0): boolean => {
  if (ofSite) return action === 'read_all'
  if (role !== undefined && actionsOf[role].has(action)) return true
  const inTeam = teamId === 0 ? undefined : teams.get(teamId)
  return inTeam !== undefined && actionsOf[inTeam].has(action)
}

/** Throws `organisation_role_denied`. */
export const assertMay = (access: OrganisationAccess, action: OrganisationAction, teamId = 0): void => {
  if (!may(access, action, teamId)) throw new AppError('organisation_role_denied')
}

/** True if the person sees that a team and its projects exist. */
export const sees = ({ role, teams, ofSite }: OrganisationAccess, teamId: number): boolean =>
  ofSite === true || role !== undefined || teams.has(teamId)

/** Permissions of the person in the whole organisation. */
export const actionsFor = (access: OrganisationAccess): OrganisationAction[] =>
  organisationActions.filter((action) => may(access, action))

/** From the least to the most. */
export const ranks: readonly OrganisationRole[] = ['viewer', 'member', 'billing', 'admin', 'owner']

/** Roles that a person may give and take: none above the own one, and only owners make owners and who pays. */
export const mayGrant = (access: OrganisationAccess, role: OrganisationRole, teamId: number): boolean => {
  if (!may(access, 'manage_members', teamId)) return false
  if (teamId !== 0 && (role === 'owner' || role === 'billing')) return false
  if (access.role === 'owner') return true
  return role !== 'billing' && ranks.indexOf(role) <= ranks.indexOf('admin')
}
