import type { OrganisationRole } from '@tollgate/contract'
import type { Kysely, Transaction } from 'kysely'
import { isUniqueViolation } from '../../db/dialect.ts'
import type { Tables } from '../../db/schema.ts'
import type { Actor } from '../../http/actor.ts'
import { unixSeconds } from '../../lib/clock.ts'
import { giveRolesFrom, higher, lockOrganisation, type Places } from './assigned-roles.ts'
import { isMember, switchOffKeys } from './members.ts'
import { type OrganisationParts, traceOf } from './parts.ts'

/** A role in an organisation (team 0) or in a team. */
export interface SignInPlace {
  readonly organisationId: number
  readonly teamId: number
  readonly role: Exclude<OrganisationRole, 'owner'>
}

export interface SignInRoles {
  /** Id of the identity provider. */
  readonly providerId: number
  /** True if roles that were given by hand are changed, too; owners keep theirs. */
  readonly replacesManual: boolean
  /** Roles by the groups of the person; of two roles in one place the higher counts. */
  readonly places: readonly SignInPlace[]
}

type Parts = Pick<OrganisationParts, 'database' | 'audit' | 'userChanged' | 'clock'>

const sourceOf = (providerId: number): string => `idp:${providerId}`

/** Organisations in which the provider gave the person something. */
const organisationsGivenIn = async (on: Kysely<Tables>, providerId: number, userId: number): Promise<number[]> => {
  const rows = await on
    .selectFrom('given_roles')
    .select('organisation_id')
    .distinct()
    .where('user_id', '=', userId)
    .where('source', '=', sourceOf(providerId))
    .execute()
  return rows.map(({ organisation_id }) => organisation_id)
}

/** The places in one organisation that exist: it, and its teams, may be gone since a rule was written. */
const existingPlaces = async (
  trx: Transaction<Tables>,
  organisationId: number,
  places: readonly SignInPlace[],
): Promise<Places> => {
  const teams = await trx
    .selectFrom('teams')
    .select('id')
    .where('organisation_id', '=', organisationId)
    .where('deleted_at', 'is', null)
    .execute()
  const known = new Set([0, ...teams.map(({ id }) => id)])
  const wanted = new Map<number, OrganisationRole>()
  for (const { organisationId: of, teamId, role } of places)
    if (of === organisationId && known.has(teamId)) wanted.set(teamId, higher(wanted.get(teamId), role))
  return wanted
}

/**
 * Brings the roles of a person in line with what their identity provider says at a sign-in: adds, changes and takes away those that it
 * gave. Keys of those who have left an organisation are switched off.
 */
export const applySignInRoles = async (parts: Parts, person: Actor, roles: SignInRoles): Promise<void> => {
  const before = await organisationsGivenIn(parts.database.query, roles.providerId, person.id)
  const concerned = new Set([...before, ...roles.places.map(({ organisationId }) => organisationId)])
  // In one order, so that two sign-ins never wait for each other.
  for (const organisationId of [...concerned].toSorted((one, other) => one - other)) {
    const apply = () => parts.database.transaction((trx) => appliedIn(parts, trx, { person, organisationId }, roles))
    const wallet = await apply().catch((error: unknown) => {
      // Somebody gave the person a role by hand in the same moment.
      if (isUniqueViolation(error)) return apply()
      throw error
    })
    if (wallet !== undefined) parts.userChanged(wallet)
  }
}

/** Answers the wallet of an organisation where something changed. */
const appliedIn = async (
  parts: Parts,
  trx: Transaction<Tables>,
  { person, organisationId }: { readonly person: Actor; readonly organisationId: number },
  { providerId, replacesManual, places }: SignInRoles,
): Promise<number | undefined> => {
  await lockOrganisation(trx, organisationId)
  const organisation = await trx
    .selectFrom('organisations')
    .select(['wallet_user_id', 'deleted_at'])
    .where('id', '=', organisationId)
    .executeTakeFirst()
  if (organisation === undefined || organisation.deleted_at !== null) return undefined
  const changed = await giveRolesFrom(
    trx,
    {
      organisationId,
      userId: person.id,
      source: sourceOf(providerId),
      byHand: replacesManual ? 'replaced' : 'stays',
    },
    await existingPlaces(trx, organisationId, places),
    unixSeconds(parts.clock),
  )
  for (const { teamId, before, role = null } of changed) {
    const after = { user_id: person.id, team_id: teamId, role, identity_provider: providerId }
    await parts.audit.record(traceOf(person, before === undefined ? 'join' : 'member', organisationId, after), trx)
  }
  if (changed.length === 0) return undefined
  const walletId = organisation.wallet_user_id
  if (!(await isMember(trx, organisationId, person.id))) await switchOffKeys(trx, walletId, person.id)
  return walletId
}
