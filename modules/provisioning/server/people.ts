import { parseObject } from '@tollgate/contract/json'
import type { Kysely, Transaction } from 'kysely'
import type { Tables } from '#server/db/schema.ts'
import { enterpriseSchema, userSchema } from './scim/attributes.ts'
import type { Resource } from './scim/matching.ts'

export type PersonState = 'active' | 'suspended' | 'removed'

/** A member as the identity provider sees it. */
export interface ScimPerson {
  readonly userId: number
  readonly userName: string
  readonly externalId: string
  readonly state: PersonState
  /** True if the account was made for the organisation. */
  readonly madeAccount: boolean
  readonly attributes: Resource
  readonly version: number
  readonly created: number
  readonly changed: number
  /** False for a member whom SCIM has not changed yet. */
  readonly isKept: boolean
}

/** People that one organisation may have over SCIM. */
export const mostPeople = 20_000

/** Names are compared whatever the case. */
const nameKey = (userName: string): string => `=${userName.toLowerCase()}`

/** Which people to read; all of them without. */
export interface Which {
  readonly userId?: number | undefined
  readonly userName?: string | undefined
  readonly externalId?: string | undefined
}

const kept = async (on: Kysely<Tables>, organisationId: number, which: Which): Promise<ScimPerson[]> => {
  let rows = on
    .selectFrom('scim_users as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .selectAll('s')
    .where('s.organisation_id', '=', organisationId)
    .where('s.state', '<>', 'removed')
    .where('u.deleted_at', 'is', null)
  if (which.userId !== undefined) rows = rows.where('s.user_id', '=', which.userId)
  if (which.userName !== undefined) rows = rows.where('s.name_key', '=', nameKey(which.userName))
  if (which.externalId !== undefined) rows = rows.where('s.external_id', '=', which.externalId)
  return (await rows.orderBy('s.user_id').execute()).map((row) => ({
    userId: row.user_id,
    userName: row.user_name,
    externalId: row.external_id,
    state: row.state === 'suspended' ? 'suspended' : 'active',
    madeAccount: row.made_account === 1,
    attributes: { ...parseObject(row.attributes) },
    version: row.version,
    created: row.created_time,
    changed: row.changed_time,
    isKept: true,
  }))
}

/** Members who came otherwise: an identity provider finds them by their address, or by their name here. */
const others = async (on: Kysely<Tables>, organisationId: number, which: Which): Promise<ScimPerson[]> => {
  if (which.externalId !== undefined) return []
  let rows = on
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .leftJoin('scim_users as s', (join) =>
      join
        .onRef('s.organisation_id', '=', 'm.organisation_id')
        .onRef('s.user_id', '=', 'm.user_id')
        .on('s.state', '<>', 'removed'),
    )
    .select(['u.id', 'u.username', 'u.display_name', 'u.email'])
    .select(({ fn }) => fn.min('m.created_time').as('created'))
    .where('m.organisation_id', '=', organisationId)
    .where('u.deleted_at', 'is', null)
    .where('s.id', 'is', null)
    .groupBy(['u.id', 'u.username', 'u.display_name', 'u.email'])
  if (which.userId !== undefined) rows = rows.where('u.id', '=', which.userId)
  const wanted = which.userName?.toLowerCase()
  return (await rows.orderBy('u.id').execute())
    .map(
      ({ id, username, display_name, email, created }): ScimPerson => ({
        userId: id,
        userName: email === '' ? username : email,
        externalId: '',
        state: 'active',
        madeAccount: false,
        attributes: {
          displayName: display_name === '' ? username : display_name,
          ...(email === '' ? {} : { emails: [{ value: email, type: 'work', primary: true }] }),
        },
        version: 0,
        created: Number(created),
        changed: Number(created),
        isKept: false,
      }),
    )
    .filter(({ userName }) => wanted === undefined || userName.toLowerCase() === wanted)
}

/** The people of an organisation, by their number: whom SCIM sent, suspended ones too, and its other members. */
export const readPeople = async (
  on: Kysely<Tables>,
  organisationId: number,
  which: Which = {},
): Promise<ScimPerson[]> => {
  const [sent, members] = await Promise.all([kept(on, organisationId, which), others(on, organisationId, which)])
  return [...sent, ...members].toSorted((left, right) => left.userId - right.userId)
}

/**
 * Writes a person; an earlier row of the same account, also a removed one, is replaced. So is one of the same name: whoever is
 * there has been asked for, and what is left are names of accounts that do not exist any more.
 */
export const writePerson = async (
  trx: Transaction<Tables>,
  organisationId: number,
  person: Omit<ScimPerson, 'isKept'>,
): Promise<void> => {
  await trx
    .deleteFrom('scim_users')
    .where('organisation_id', '=', organisationId)
    .where(({ or, eb }) => or([eb('user_id', '=', person.userId), eb('name_key', '=', nameKey(person.userName))]))
    .execute()
  await trx
    .insertInto('scim_users')
    .values({
      organisation_id: organisationId,
      user_id: person.userId,
      user_name: person.userName,
      name_key: person.state === 'removed' ? `-${person.userId}` : nameKey(person.userName),
      external_id: person.externalId,
      state: person.state,
      made_account: person.madeAccount ? 1 : 0,
      attributes: JSON.stringify(person.attributes),
      version: person.version,
      created_time: person.created,
      changed_time: person.changed,
    })
    .execute()
}

/** An account that was made for the organisation under this name, and has been removed from it; undefined where there is none. */
export const removedAccount = async (
  on: Kysely<Tables>,
  organisationId: number,
  userName: string,
): Promise<number | undefined> => {
  const rows = await on
    .selectFrom('scim_users as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['s.user_id', 's.user_name'])
    .where('s.organisation_id', '=', organisationId)
    .where('s.state', '=', 'removed')
    .where('s.made_account', '=', 1)
    .where('u.deleted_at', 'is', null)
    .execute()
  return rows.find((row) => nameKey(row.user_name) === nameKey(userName))?.user_id
}

export const timeText = (seconds: number): string => new Date(seconds * 1000).toISOString()
export const versionText = (version: number): string => `W/"${version}"`

/** True if the account was made for this organisation, as a present or former member. */
export const wasMadeFor = async (on: Kysely<Tables>, organisationId: number, userId: number): Promise<boolean> => {
  const row = await on
    .selectFrom('scim_users')
    .select('made_account')
    .where('organisation_id', '=', organisationId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.made_account === 1
}

/** A group that a person is in. */
export interface PersonGroup {
  readonly id: number
  readonly name: string
}

/** A person as a resource of SCIM. */
export const userResourceOf = (person: ScimPerson, groups: readonly PersonGroup[], base: string): Resource => ({
  schemas: [userSchema, ...(enterpriseSchema in person.attributes ? [enterpriseSchema] : [])],
  id: String(person.userId),
  ...(person.externalId === '' ? {} : { externalId: person.externalId }),
  userName: person.userName,
  ...person.attributes,
  active: person.state === 'active',
  ...(groups.length === 0
    ? {}
    : {
        groups: groups.map(({ id, name }) => ({
          value: String(id),
          $ref: `${base}/Groups/${id}`,
          display: name,
          type: 'direct',
        })),
      }),
  meta: {
    resourceType: 'User',
    created: timeText(person.created),
    lastModified: timeText(person.changed),
    location: `${base}/Users/${person.userId}`,
    version: versionText(person.version),
  },
})
