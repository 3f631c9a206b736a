import type { Kysely } from 'kysely'
import type { Tables } from '#server/db/schema.ts'
import { groupsOfPeople, readGroups } from './groups-store.ts'
import type { ScimPlace } from './parts.ts'
import { readPeople, userResourceOf, type Which } from './people.ts'
import { groupResource, type ResourceSchema, userResource } from './scim/attributes.ts'
import { listBody, mostResults, usualResults } from './scim/discovery.ts'
import { parseFilter } from './scim/filter.ts'
import { matchesFilter, type Resource, requiredText } from './scim/matching.ts'
import { type Choice, chosen, includes, sorted } from './scim/projection.ts'
import { badRequest } from './scim/scim-error.ts'
import { groupResourceOf } from './scim-groups.ts'

/** Options of a list request. */
export interface ListQuery extends Choice {
  readonly filter: string
  readonly sortBy: string
  readonly descending: boolean
  /** From 1 on. */
  readonly startIndex: number
  readonly count: number
}

const wholeNumber = (text: unknown, name: string, otherwise: number): number => {
  if (text === undefined || text === null || text === '') return otherwise
  const value = Number(text)
  if (!Number.isInteger(value)) throw badRequest('invalidValue', `${name} must be a whole number.`)
  return value
}

/** Reads the parameters of a list, from an address or from the body of a search. Throws ScimError. */
export const readListQuery = (of: (name: string) => unknown, choice: Choice): ListQuery => ({
  ...choice,
  filter: String(of('filter') ?? '').trim(),
  sortBy: String(of('sortBy') ?? '').trim(),
  descending: String(of('sortOrder') ?? '').toLowerCase() === 'descending',
  startIndex: Math.max(1, wholeNumber(of('startIndex'), 'startIndex', 1)),
  count: Math.min(mostResults, Math.max(0, wholeNumber(of('count'), 'count', usualResults))),
})

const pageOf = (schema: ResourceSchema, all: readonly Resource[], query: ListQuery): Resource[] => {
  const inOrder = query.sortBy === '' ? all : sorted(schema, all, { by: query.sortBy, descending: query.descending })
  return inOrder.slice(query.startIndex - 1, query.startIndex - 1 + query.count)
}

const mentions = (query: ListQuery, name: string): boolean =>
  `${query.filter} ${query.sortBy}`.toLowerCase().includes(name)

/** The users of an organisation that fit. Equality of userName, externalId or id is asked of the database. */
export const listUsers = async (on: Kysely<Tables>, place: ScimPlace, query: ListQuery): Promise<Resource> => {
  const filter = query.filter === '' ? undefined : parseFilter(query.filter)
  const fits = filter === undefined ? () => true : matchesFilter(filter, userResource)
  const text = (name: string): string | undefined => filter && requiredText(filter, userResource, name)
  const id = text('id')
  const which: Which = {
    userName: text('userName'),
    externalId: text('externalId'),
    ...(id === undefined ? {} : { userId: /^\d{1,15}$/.test(id) ? Number(id) : 0 }),
  }
  const people = await readPeople(on, place.organisationId, which)
  const one = people.length === 1 ? people[0]?.userId : undefined
  const withGroups = mentions(query, 'groups') || includes(userResource, query, 'groups')
  const groups = withGroups ? await groupsOfPeople(on, place.organisationId, one) : new Map()
  const all = people.map((person) => userResourceOf(person, groups.get(person.userId) ?? [], place.base)).filter(fits)
  const page = pageOf(userResource, all, query).map(chosen(userResource, query))
  return listBody(page, all.length, query.startIndex)
}

/** The groups of an organisation that fit. */
export const listGroups = async (on: Kysely<Tables>, place: ScimPlace, query: ListQuery): Promise<Resource> => {
  const filter = query.filter === '' ? undefined : parseFilter(query.filter)
  const fits = filter === undefined ? () => true : matchesFilter(filter, groupResource)
  const groups = await readGroups(on, place.organisationId)
  const members =
    mentions(query, 'members') || includes(groupResource, query, 'members') ? await membersOf(on, place) : undefined
  const all = groups
    .map((group) => groupResourceOf(group, members && (members.get(group.id) ?? []), place.base))
    .filter(fits)
  const page = pageOf(groupResource, all, query).map(chosen(groupResource, query))
  return listBody(page, all.length, query.startIndex)
}

/** Members of all groups of an organisation, by the group. */
const membersOf = async (
  on: Kysely<Tables>,
  { organisationId }: ScimPlace,
): Promise<Map<number, { id: number; name: string }[]>> => {
  const rows = await on
    .selectFrom('scim_group_members as m')
    .innerJoin('scim_groups as g', 'g.id', 'm.group_id')
    .innerJoin('scim_users as s', (join) =>
      join.onRef('s.user_id', '=', 'm.user_id').onRef('s.organisation_id', '=', 'g.organisation_id'),
    )
    .select(['m.group_id', 'm.user_id', 's.user_name'])
    .where('g.organisation_id', '=', organisationId)
    .where('s.state', '<>', 'removed')
    .orderBy('m.id')
    .execute()
  const members = new Map<number, { id: number; name: string }[]>()
  for (const { group_id, user_id, user_name } of rows) {
    const of = members.get(group_id) ?? []
    of.push({ id: user_id, name: user_name })
    members.set(group_id, of)
  }
  return members
}
