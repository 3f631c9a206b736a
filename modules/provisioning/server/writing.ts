import type { Transaction } from 'kysely'
import type { Tables } from '#server/db/schema.ts'
import type { Trace } from '#server/db/trace.ts'
import { giveRolesFrom } from '#server/features/organisations/assigned-roles.ts'
import { unixSeconds } from '#server/lib/clock.ts'
import { type GroupPlaces, placesOf, readGroupPlaces } from './group-places.ts'
import { groupsOfPeople } from './groups-store.ts'
import type { ProvisioningParts, ScimPlace } from './parts.ts'
import { ScimError } from './scim/scim-error.ts'

/** Throws status 412 where a client changes another version than the one that it read. */
export const assertVersion = (ifMatch: string | undefined, version: string): void => {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const plain = (text: string): string => text.trim().replace(/^W\//, '')
  if (!ifMatch.split(',').some((one) => plain(one) === plain(version)))
    throw new ScimError(412, `The resource has changed; its version is ${version}.`)
}

/** Audit entry of a change by an identity provider. */
export const scimTrace = (place: ScimPlace, action: string, after: object): Trace => ({
  actor: { id: 0, username: `SCIM ${place.token.name}`.slice(0, 100) },
  action: `organisation.${action}`,
  object: 'organisation',
  objectId: place.organisationId,
  ip: place.ip,
  after: { ...after },
})

type Granting = Pick<ScimPlace, 'organisationId' | 'role'>

/** Gives a person the places that the organisation's rule and the person's groups give. */
export const applyPlaces = async (
  trx: Transaction<Tables>,
  { organisationId, role }: Granting,
  userId: number,
  { now, known }: { readonly now: number; readonly known?: GroupPlaces },
): Promise<void> => {
  const groups = known ?? (await readGroupPlaces(trx, organisationId))
  const names = (await groupsOfPeople(trx, organisationId, userId)).get(userId)?.map(({ name }) => name) ?? []
  const places = new Map(placesOf(groups, names))
  // Whoever is in no group of the whole organisation has the role that all have.
  if (role !== undefined && !places.has(0)) places.set(0, role)
  await giveRolesFrom(trx, { organisationId, userId, source: 'scim', byHand: 'highest' }, places, now)
}

/** The same for several people; those whom SCIM does not keep in the organisation stay as they are. */
export const applyPlacesOf = async (
  parts: Pick<ProvisioningParts, 'clock'>,
  trx: Transaction<Tables>,
  place: Granting,
  userIds: Iterable<number>,
): Promise<void> => {
  const groups = await readGroupPlaces(trx, place.organisationId)
  const now = unixSeconds(parts.clock)
  for (const userId of new Set(userIds)) await applyPlaces(trx, place, userId, { now, known: groups })
}
