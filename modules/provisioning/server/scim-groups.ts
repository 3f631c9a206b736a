import { isObject } from '@tollgate/contract/json'
import type { Transaction } from 'kysely'
import { insertReturningId, isUniqueViolation } from '#server/db/dialect.ts'
import type { Tables } from '#server/db/schema.ts'
import { lockOrganisation } from '#server/features/organisations/assigned-roles.ts'
import { unixSeconds } from '#server/lib/clock.ts'
import { groupKey } from './group-places.ts'
import { readGroups, readMembers, type ScimGroup } from './groups-store.ts'
import type { ProvisioningParts, ScimPlace } from './parts.ts'
import { readPeople, type ScimPerson, timeText, versionText, writePerson } from './people.ts'
import { groupResource, groupSchema } from './scim/attributes.ts'
import type { Resource } from './scim/matching.ts'
import { patched, readOperations } from './scim/patch.ts'
import { mostMembers, readResource } from './scim/reading.ts'
import { badRequest, notFound, ScimError } from './scim/scim-error.ts'
import { applyPlacesOf, assertVersion, scimTrace } from './writing.ts'

const mostGroups = 2000
const longestName = 200

export interface ScimGroups {
  get(place: ScimPlace, id: number, withMembers: boolean): Promise<Resource>
  create(place: ScimPlace, body: unknown): Promise<Resource>
  replace(place: ScimPlace, id: number, body: unknown, ifMatch: string | undefined): Promise<Resource>
  patch(place: ScimPlace, id: number, body: unknown, ifMatch: string | undefined): Promise<Resource>
  /** Takes the places back that the group gave. */
  remove(place: ScimPlace, id: number, ifMatch: string | undefined): Promise<void>
}

interface Said {
  readonly name: string
  readonly externalId: string
  readonly members: ReadonlySet<number>
}

const memberId = (value: unknown): number => {
  const text = isObject(value) ? value.value : undefined
  if (typeof text !== 'string' || !/^\d{1,15}$/.test(text))
    throw badRequest('invalidValue', 'A member must be named by the number of a user of this organisation.')
  return Number(text)
}

const saidIn = ({ displayName, externalId, members }: Resource): Said => {
  const name = typeof displayName === 'string' ? displayName.trim() : ''
  const external = typeof externalId === 'string' ? externalId : ''
  if (name === '') throw badRequest('invalidValue', 'displayName is required.')
  for (const [field, text] of Object.entries({ displayName: name, externalId: external }))
    if (text.length > longestName) throw badRequest('invalidValue', `${field} has more than ${longestName} characters.`)
  const list = Array.isArray(members) ? members : []
  return { name, externalId: external, members: new Set(list.map(memberId)) }
}

/** A group as a resource of SCIM; `names` are those of its members. */
export const groupResourceOf = (
  group: ScimGroup,
  members: readonly { readonly id: number; readonly name: string }[] | undefined,
  base: string,
): Resource => ({
  schemas: [groupSchema],
  id: String(group.id),
  ...(group.externalId === '' ? {} : { externalId: group.externalId }),
  displayName: group.name,
  ...(members === undefined
    ? {}
    : {
        members: members.map(({ id, name }) => ({
          value: String(id),
          $ref: `${base}/Users/${id}`,
          display: name,
          type: 'User',
        })),
      }),
  meta: {
    resourceType: 'Group',
    created: timeText(group.created),
    lastModified: timeText(group.changed),
    location: `${base}/Groups/${group.id}`,
    version: versionText(group.version),
  },
})

export const openScimGroups = (parts: ProvisioningParts): ScimGroups => {
  const { database, audit } = parts
  const now = (): number => unixSeconds(parts.clock)
  const taken = (): ScimError => new ScimError(409, 'A group with this displayName exists.', { scimType: 'uniqueness' })

  const groupOf = async (trx: Transaction<Tables>, place: ScimPlace, id: number): Promise<ScimGroup> => {
    const [group] = await readGroups(trx, place.organisationId, id)
    if (group === undefined) throw notFound(`Group ${id}`)
    return group
  }

  const shown = async (place: ScimPlace, id: number, withMembers = true): Promise<Resource> => {
    const [group] = await readGroups(database.query, place.organisationId, id)
    if (group === undefined) throw notFound(`Group ${id}`)
    if (!withMembers) return groupResourceOf(group, undefined, place.base)
    const ids = new Set(await readMembers(database.query, id))
    const people = ids.size === 0 ? [] : await readPeople(database.query, place.organisationId)
    const members = people.filter(({ userId }) => ids.has(userId))
    return groupResourceOf(
      group,
      members.map(({ userId, userName }) => ({ id: userId, name: userName })),
      place.base,
    )
  }

  const assertFree = async (trx: Transaction<Tables>, place: ScimPlace, name: string, id: number): Promise<void> => {
    const found = await trx
      .selectFrom('scim_groups')
      .select('id')
      .where('organisation_id', '=', place.organisationId)
      .where('name_key', '=', groupKey(name))
      .executeTakeFirst()
    if (found !== undefined && found.id !== id) throw taken()
  }

  /** Sets the members. Whoever joins is kept by SCIM from then on, and must be of this organisation. */
  const setMembers = async (
    trx: Transaction<Tables>,
    place: ScimPlace,
    { id, before, after }: { id: number; before: ReadonlySet<number>; after: ReadonlySet<number> },
  ): Promise<void> => {
    const joining = [...after].filter((userId) => !before.has(userId))
    const leaving = [...before].filter((userId) => !after.has(userId))
    if (after.size > mostMembers) throw badRequest('invalidValue', `A group has at most ${mostMembers} members.`)
    if (joining.length > 0) {
      const only = joining.length === 1 ? { userId: joining[0] } : {}
      const people = new Map<number, ScimPerson>(
        (await readPeople(trx, place.organisationId, only)).map((person) => [person.userId, person]),
      )
      for (const userId of joining) {
        const person = people.get(userId)
        if (person === undefined) throw badRequest('invalidValue', `User ${userId} does not exist.`)
        if (!person.isKept) await writePerson(trx, place.organisationId, { ...person, version: 1, changed: now() })
        await insertReturningId(trx, 'scim_group_members', { group_id: id, user_id: userId })
      }
    }
    if (leaving.length > 0)
      await trx.deleteFrom('scim_group_members').where('group_id', '=', id).where('user_id', 'in', leaving).execute()
  }

  const change = async (
    place: ScimPlace,
    id: number,
    ifMatch: string | undefined,
    saidOf: (before: ScimGroup, members: readonly number[]) => Said,
  ): Promise<Resource> => {
    await database.transaction(async (trx) => {
      await lockOrganisation(trx, place.organisationId)
      const group = await groupOf(trx, place, id)
      assertVersion(ifMatch, versionText(group.version))
      const members = await readMembers(trx, id)
      const said = saidOf(group, members)
      const before = new Set(members)
      await assertFree(trx, place, said.name, id)
      await setMembers(trx, place, { id, before, after: said.members })
      await trx
        .updateTable('scim_groups')
        .set({
          name: said.name,
          name_key: groupKey(said.name),
          external_id: said.externalId,
          version: group.version + 1,
          changed_time: now(),
        })
        .where('id', '=', id)
        .execute()
      const moved = [...before, ...said.members].filter((user) => before.has(user) !== said.members.has(user))
      const renamed = groupKey(said.name) !== groupKey(group.name)
      await applyPlacesOf(parts, trx, place, renamed ? [...before, ...said.members] : moved)
      const after = { group_id: id, name: said.name, members: said.members.size }
      await audit.record(scimTrace(place, 'scim_group', after), trx)
    })
    parts.userChanged(place.walletId)
    return shown(place, id)
  }

  const asBody = (group: ScimGroup, members: readonly number[]): Resource => ({
    displayName: group.name,
    ...(group.externalId === '' ? {} : { externalId: group.externalId }),
    ...(members.length === 0 ? {} : { members: members.map((id) => ({ value: String(id) })) }),
  })

  return {
    get: shown,

    async create(place, body) {
      const said = saidIn(readResource(groupResource, body))
      const { organisationId } = place
      try {
        const id = await database.transaction(async (trx) => {
          await lockOrganisation(trx, organisationId)
          await assertFree(trx, place, said.name, 0)
          if ((await readGroups(trx, organisationId)).length >= mostGroups)
            throw new ScimError(403, `An organisation has at most ${mostGroups} groups over SCIM.`)
          const made = await insertReturningId(trx, 'scim_groups', {
            organisation_id: organisationId,
            name: said.name,
            name_key: groupKey(said.name),
            external_id: said.externalId,
            version: 1,
            created_time: now(),
            changed_time: now(),
          })
          await setMembers(trx, place, { id: made, before: new Set(), after: said.members })
          await applyPlacesOf(parts, trx, place, said.members)
          const after = { group_id: made, name: said.name, members: said.members.size }
          await audit.record(scimTrace(place, 'scim_group', after), trx)
          return made
        })
        parts.userChanged(place.walletId)
        return await shown(place, id)
      } catch (cause) {
        throw isUniqueViolation(cause) ? taken() : cause
      }
    },

    replace: (place, id, body, ifMatch) => change(place, id, ifMatch, () => saidIn(readResource(groupResource, body))),

    patch: (place, id, body, ifMatch) =>
      change(place, id, ifMatch, (group, members) =>
        saidIn(patched(asBody(group, members), groupResource, readOperations(body))),
      ),

    async remove(place, id, ifMatch) {
      await database.transaction(async (trx) => {
        await lockOrganisation(trx, place.organisationId)
        const group = await groupOf(trx, place, id)
        assertVersion(ifMatch, versionText(group.version))
        const members = await readMembers(trx, id)
        await trx.deleteFrom('scim_group_members').where('group_id', '=', id).execute()
        await trx.deleteFrom('scim_groups').where('id', '=', id).execute()
        await applyPlacesOf(parts, trx, place, members)
        await audit.record(scimTrace(place, 'scim_group_remove', { group_id: id, name: group.name }), trx)
      })
      parts.userChanged(place.walletId)
    },
  }
}
