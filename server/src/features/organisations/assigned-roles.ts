import { type OrganisationRole, organisationRoles } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import { insertReturningId } from '../../db/dialect.ts'
import type { Tables } from '../../db/schema.ts'
import { giveRole, takeRole } from './members.ts'

/** Roles by place: 0 for the whole organisation, otherwise a team. */
export type Places = ReadonlyMap<number, OrganisationRole>

const ranks: readonly OrganisationRole[] = ['viewer', 'member', 'billing', 'admin', 'owner']
const rankOf = (role: OrganisationRole): number => ranks.indexOf(role)
/** The role that a column holds; undefined for a text that is none. */
export const roleOf = (text: string): OrganisationRole | undefined => organisationRoles.find((role) => role === text)

/** The higher of two roles; the second where there is no first. */
export const higher = (one: OrganisationRole | undefined, other: OrganisationRole): OrganisationRole =>
  one !== undefined && rankOf(one) >= rankOf(other) ? one : other

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

const hand = 'hand'

const highest = (given: ReadonlyMap<string, OrganisationRole> | undefined): OrganisationRole | undefined =>
  [...(given?.values() ?? [])].reduce<OrganisationRole | undefined>(higher, undefined)

/** Of two changes of the roles of an organisation, the second waits for the first: it reads what the first has written. */
export const lockOrganisation = async (trx: Transaction<Tables>, organisationId: number): Promise<void> => {
  await trx
    .updateTable('organisations')
    .set(({ ref }) => ({ created_time: ref('created_time') }))
    .where('id', '=', organisationId)
    .execute()
}

/** Giver of roles, and the effect of a role that was given by hand. */
export interface Giver {
  readonly organisationId: number
  readonly userId: number
  /** `idp:<id>` for a sign-in provider, or a name of a module's own. */
  readonly source: string
  /**
   * Of a role in the same place that was given by hand and theirs: the `highest` counts, the one by hand `stays` alone, or it is
   * `replaced`; owners keep theirs in any case.
   */
  readonly byHand: 'highest' | 'stays' | 'replaced'
}

/** A role that a member has from now on; undefined for one that was taken away. */
export interface ChangedRole {
  readonly teamId: number
  readonly before: OrganisationRole | undefined
  readonly role: OrganisationRole | undefined
}

/**
 * Gives a member exactly these places on behalf of one source, and takes those back that the source gave before. What another source
 * gave stays: the highest role counts. A role that was changed by hand since counts as given by hand. Answers what changed; then
 * the caller lets keys be read again.
 */
export const giveRolesFrom = async (
  trx: Transaction<Tables>,
  { organisationId, userId, source, byHand }: Giver,
  places: Places,
  now: number,
): Promise<ChangedRole[]> => {
  const records = await recordsOf(trx, organisationId, userId)
  const rows = await trx
    .selectFrom('memberships')
    .select(['team_id', 'role'])
    .where('organisation_id', '=', organisationId)
    .where('user_id', '=', userId)
    .execute()
  const held = new Map(rows.map(({ team_id, role }) => [team_id, roleOf(role)]))
  const changed: ChangedRole[] = []
  for (const teamId of new Set([...places.keys(), ...records.keys()])) {
    const before = records.get(teamId)
    const wanted = places.get(teamId)
    if (before?.has(source) !== true && wanted === undefined) continue
    const present = held.get(teamId)
    const given = new Map(before)
    if (present === undefined) given.delete(hand)
    else if (before === undefined || present !== highest(before)) given.set(hand, present)
    if (byHand === 'replaced' && wanted !== undefined && given.get(hand) !== 'owner') given.delete(hand)
    if (wanted === undefined || (byHand === 'stays' && given.has(hand))) given.delete(source)
    else given.set(source, wanted)
    const place = { organisationId, teamId, userId }
    await writeRecords(trx, place, given)
    const role = highest(given)
    if (role === present) continue
    changed.push({ teamId, before: present, role })
    if (role === undefined) await takeRole(trx, place)
    else await giveRole(trx, place, role, now)
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
  if ([...given.keys()].every((source) => source === hand)) return
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
