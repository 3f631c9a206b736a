import { type OrganisationRole, teamRoles } from '@tollgate/contract'
import type { Kysely } from 'kysely'
import type { Tables } from '#server/db/schema.ts'
import { higher, type Places, roleOf } from '#server/features/organisations/assigned-roles.ts'

/** The name of a group as groups are compared: whatever the case, without blanks around it. */
export const groupKey = (name: string): string => name.trim().toLowerCase()

/** Roles that groups of an identity provider give in an organisation, by the group's key. */
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

/** Roles by team (0 for the organisation) of a member of these groups: the highest that one of the groups gives. */
export const placesOf = (groups: GroupPlaces, names: readonly string[]): Places => {
  const places = new Map<number, OrganisationRole>()
  for (const name of names)
    for (const { teamId, role } of groups.get(groupKey(name)) ?? [])
      places.set(teamId, higher(places.get(teamId), role))
  return places
}
