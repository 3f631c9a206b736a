import type { Kysely } from 'kysely'
import type { Tables } from '#server/db/schema.ts'
import type { PersonGroup } from './people.ts'

/** A group of the identity provider, without its members. */
export interface ScimGroup {
  readonly id: number
  readonly name: string
  readonly externalId: string
  readonly version: number
  readonly created: number
  readonly changed: number
}

/** The groups of an organisation; one of them, where its number is given. */
export const readGroups = async (on: Kysely<Tables>, organisationId: number, id?: number): Promise<ScimGroup[]> => {
  let rows = on.selectFrom('scim_groups').selectAll().where('organisation_id', '=', organisationId)
  if (id !== undefined) rows = rows.where('id', '=', id)
  return (await rows.orderBy('id').execute()).map((row) => ({
    id: row.id,
    name: row.name,
    externalId: row.external_id,
    version: row.version,
    created: row.created_time,
    changed: row.changed_time,
  }))
}

/** Numbers of the members of a group. */
export const readMembers = async (on: Kysely<Tables>, groupId: number): Promise<number[]> => {
  const rows = await on
    .selectFrom('scim_group_members')
    .select('user_id')
    .where('group_id', '=', groupId)
    .orderBy('id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** The groups of people in an organisation, by the person; of one person, where it is given. */
export const groupsOfPeople = async (
  on: Kysely<Tables>,
  organisationId: number,
  userId?: number,
): Promise<Map<number, PersonGroup[]>> => {
  let rows = on
    .selectFrom('scim_group_members as m')
    .innerJoin('scim_groups as g', 'g.id', 'm.group_id')
    .select(['m.user_id', 'g.id', 'g.name'])
    .where('g.organisation_id', '=', organisationId)
  if (userId !== undefined) rows = rows.where('m.user_id', '=', userId)
  const groups = new Map<number, PersonGroup[]>()
  for (const { user_id, id, name } of await rows.orderBy('g.id').execute())
    groups.set(user_id, [...(groups.get(user_id) ?? []), { id, name }])
  return groups
}
