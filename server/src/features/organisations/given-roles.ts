import { type OrganisationRole, organisationRoles, teamRoles } from '@tollgate/contract'
import type { Kysely, Transaction } from 'kysely'
import { insertReturningId } from '../../db/dialect.ts'
import type { Tables } from '../../db/schema.ts'
import { giveRole, takeRole } from './members.ts'

/** Roles by place: 0 for the whole organisation, otherwise a team. */
export type Places = ReadonlyMap<number, OrganisationRole>

const ranks: readonly OrganisationRole[] = ['viewer', 'member', 'billing', 'admin', 'owner']
const rankOf = (role: OrganisationRole): number => ranks.indexOf(role)
const roleOf = (text: string): OrganisationRole | undefined => organisationRoles.find((role) => role === text)

/** The name of a group as groups are compared: whatever the case, without blanks around it. */
export const groupKey = (name: string): string => name.trim().toLowerCase()

const higher = (one: OrganisationRole | undefined, other: OrganisationRole): OrganisationRole =>
  one !== undefined && rankOf(one) >= rankOf(other) ? one : other

/** What groups of an identity provider give in an organisation, by the group's key. */
export type GroupPlaces = ReadonlyMap<string, readonly { readonly teamId: number; readonly role: OrganisationRole }[]>

/**
 * The places that groups give: those that the organisation chose for a group, or membership in the team of the same name. An
 * owner is never made, and in teams only the roles of teams.
 */
export const readGroupPlaces = async (on: Kysely<Tables>, organisationId: number): Promise<GroupPlaces> => {
  const [teams, chosen] = await Promise.all([
    on
      .selectFrom('teams')
      .select(['id', 'name'])
      .where('organisation_id', '=', organisationId)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute(),
    on.selectFrom('group_places').selectAll().where('organisation_id', '=', organisationId).execute(),
  ])
  const places = new Map<string, { teamId: number; role: OrganisationRole }[]>()
  const living = new Set(teams.map(({ id }) => id))
  for (const { group_key, team_id: teamId, role: text } of chosen) {
    const role = roleOf(text)
    const fits = teamId === 0 ? role !== 'owner' : living.has(teamId) && teamRoles.some((one) => one === role)
    const of = places.get(group_key) ?? []
    if (role !== undefined && fits) of.push({ teamId, role })
    places.set(group_key, of)
  }
  for (const { id, name } of teams) {
    const key = groupKey(name)
    if (!places.has(key)) places.set(key, [{ teamId: id, role: 'member' }])
  }
  return places
}

/** The places of somebody who is in these groups: in each the highest role that one of them gives. */
export const placesOf = (groups: GroupPlaces, names: readonly string[]): Places => {
  const places = new Map<number, OrganisationRole>()
  for (const name of names)
    for (const { teamId, role } of groups.get(groupKey(name)) ?? [])
      places.set(teamId, higher(places.get(teamId), role))
  return places
}

const recordsOf = async (trx: Transaction<Tables>, organisationId: number, userId: number) => {
  const rows = await trx
    .selectFrom('given_roles')
    .select(['id', 'team_id', 'source', 'role'])
    .where('organisation_id', '=', organisationId)
    .where('user_id', '=', userId)
    .execute()
  const records = new Map<number, Map<string, OrganisationRole>>()
  for (const { team_id, source, role: text } of rows) {
    const role = roleOf(text)
    if (role === undefined) continue
    const of = records.get(team_id) ?? new Map<string, OrganisationRole>()
    records.set(team_id, of.set(source, role))
  }
  return records
}

const byHand = 'hand'

const highest = (given: ReadonlyMap<string, OrganisationRole> | undefined): OrganisationRole | undefined =>
  [...(given?.values() ?? [])].reduce<OrganisationRole | undefined>(higher, undefined)

/**
 * Gives a member exactly these places on behalf of one source (`scim`, or the name of a sign-in provider), and takes those back
 * that the source gave before. What was given by hand, or by another source, stays: the highest role counts. A role that was
 * changed by hand since counts as given by hand. Answers whether something changed; then the caller lets keys be read again.
 */
export const giveRolesFrom = async (
  trx: Transaction<Tables>,
  { organisationId, userId, source }: { organisationId: number; userId: number; source: string },
  places: Places,
  now: number,
): Promise<boolean> => {
  const records = await recordsOf(trx, organisationId, userId)
  const rows = await trx
    .selectFrom('memberships')
    .select(['team_id', 'role', 'provider_id'])
    .where('organisation_id', '=', organisationId)
    .where('user_id', '=', userId)
    .execute()
  const held = new Map(rows.map(({ team_id, role }) => [team_id, roleOf(role)]))
  // Who signs in with a provider that manages the place keeps being managed by it.
  const providers = new Map(rows.map(({ team_id, provider_id }) => [team_id, provider_id]))
  let changed = false
  for (const teamId of new Set([...places.keys(), ...records.keys()])) {
    const before = records.get(teamId)
    const wanted = places.get(teamId)
    if (before?.has(source) !== true && wanted === undefined) continue
    const present = held.get(teamId)
    const given = new Map(before)
    if (present === undefined) given.delete(byHand)
    else if (before === undefined || present !== highest(before)) given.set(byHand, present)
    if (wanted === undefined) given.delete(source)
    else given.set(source, wanted)
    const place = { organisationId, teamId, userId }
    await writeRecords(trx, place, given)
    const role = highest(given)
    if (role === present) continue
    changed = true
    if (role === undefined) await takeRole(trx, place)
    else await giveRole(trx, place, role, now, providers.get(teamId))
  }
  return changed
}

/** Only what a source gave needs to be remembered: without one, the membership itself says everything. */
const writeRecords = async (
  trx: Transaction<Tables>,
  { organisationId, teamId, userId }: { organisationId: number; teamId: number; userId: number },
  given: ReadonlyMap<string, OrganisationRole>,
): Promise<void> => {
  await trx
    .deleteFrom('given_roles')
    .where('organisation_id', '=', organisationId)
    .where('user_id', '=', userId)
    .where('team_id', '=', teamId)
    .execute()
  if ([...given.keys()].every((source) => source === byHand)) return
  const place = { organisation_id: organisationId, team_id: teamId, user_id: userId }
  for (const [source, role] of given) await insertReturningId(trx, 'given_roles', { ...place, source, role })
}

/** Forgets who gave a member roles; the memberships are the caller's business. */
export const forgetGivenRoles = async (
  trx: Transaction<Tables>,
  organisationId: number,
  userId: number,
): Promise<void> => {
  await trx
    .deleteFrom('given_roles')
    .where('organisation_id', '=', organisationId)
    .where('user_id', '=', userId)
    .execute()
}
