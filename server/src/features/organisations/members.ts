import { type BodyOf, type OrganisationRole, type setMember, tokenStatus } from '@tollgate/contract'
import type { Kysely, Transaction } from 'kysely'
import type { Tables } from '../../db/schema.ts'
import type { Actor } from '../../http/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { type OrganisationParts, traceOf } from './parts.ts'
import { assertMay, may, mayGrant, notSuspended, type OrganisationAccess, placeOf } from './rights.ts'
import { teamOf } from './structure.ts'

interface Place {
  readonly organisationId: number
  readonly teamId: number
  readonly userId: number
}

/** Gives a person a role in an organisation or team, in place of the one they have there. */
export const giveRole = async (
  trx: Transaction<Tables>,
  { organisationId, teamId, userId }: Place,
  role: OrganisationRole,
  now: number,
): Promise<void> => {
  await takeRole(trx, { organisationId, teamId, userId })
  const place = { organisation_id: organisationId, team_id: teamId, user_id: userId }
  await trx
    .insertInto('memberships')
    .values({ ...place, role, created_time: now })
    .execute()
}

/** Takes the role of a person in an organisation or team away. */
export const takeRole = async (trx: Transaction<Tables>, { organisationId, teamId, userId }: Place): Promise<void> => {
  await trx
    .deleteFrom('memberships')
    .where('organisation_id', '=', organisationId)
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .execute()
}

/** The people who own an organisation and are not suspended in it. */
export const ownersOf = async (on: Kysely<Tables>, organisationId: number): Promise<number[]> => {
  const rows = await on
    .selectFrom('memberships as m')
    .select('m.user_id')
    .where('m.organisation_id', '=', organisationId)
    .where('m.team_id', '=', 0)
    .where('m.role', '=', 'owner')
    .where(notSuspended)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** The last owner can neither leave nor be demoted. */
export const assertOwnerLeft = async (trx: Transaction<Tables>, organisationId: number): Promise<void> => {
  if ((await ownersOf(trx, organisationId)).length === 0) throw new AppError('organisation_owner_needed')
}

/** Keys of a person who has left: what they spent stays with the projects. */
export const switchOffKeys = async (trx: Transaction<Tables>, walletId: number, userId: number): Promise<void> => {
  await trx
    .updateTable('tokens')
    .set({ status: tokenStatus.disabled })
    .where('user_id', '=', walletId)
    .where('member_id', '=', userId)
    .execute()
}

export const isMember = async (on: Kysely<Tables>, organisationId: number, userId: number): Promise<boolean> =>
  (await on
    .selectFrom('memberships')
    .select('id')
    .where('organisation_id', '=', organisationId)
    .where('user_id', '=', userId)
    .executeTakeFirst()) !== undefined

/** True if a person owns the organisation, and is not suspended in it. */
export const isOwner = async (on: Kysely<Tables>, organisationId: number, userId: number): Promise<boolean> =>
  (await ownersOf(on, organisationId)).includes(userId)

/** True if a person belongs to the organisation or to one of its teams, and is not suspended in it. */
export const isActiveMember = async (on: Kysely<Tables>, organisationId: number, userId: number): Promise<boolean> =>
  (await on
    .selectFrom('memberships as m')
    .select('m.id')
    .where('m.organisation_id', '=', organisationId)
    .where('m.user_id', '=', userId)
    .where(notSuspended)
    .executeTakeFirst()) !== undefined

/**
 * True if the provider that an organisation enforces binds a person. Owners may sign in by other ways, so that one of them can always
 * switch it off; a suspended member may sign in to the own account again.
 */
export const isBoundToProvider = async (on: Kysely<Tables>, organisationId: number, userId: number): Promise<boolean> =>
  (await isActiveMember(on, organisationId, userId)) && !(await isOwner(on, organisationId, userId))

/** Changes the role of a member in the organisation or in a team. */
export const changeMember = async (
  parts: OrganisationParts,
  access: OrganisationAccess,
  actor: Actor,
  { user_id: userId, team_id: teamId, role }: BodyOf<typeof setMember>,
): Promise<void> => {
  const { organisationId } = access
  const { query } = parts.database
  if (teamId !== 0) await teamOf(query, access, teamId)
  const member = await placeOf(query, organisationId, userId)
  const before = teamId === 0 ? member.role : member.teams.get(teamId)
  for (const one of [role, before]) {
    if (one !== null && one !== undefined && !mayGrant(access, one, teamId))
      throw new AppError('organisation_role_denied')
  }
  assertMay(access, 'manage_members', teamId)
  await parts.database.transaction(async (trx) => {
    const place = { organisationId, teamId, userId }
    if (role === null) await takeRole(trx, place)
    else await giveRole(trx, place, role, Math.floor(parts.clock() / 1000))
    await assertOwnerLeft(trx, organisationId)
    if (!(await isMember(trx, organisationId, userId))) await switchOffKeys(trx, access.walletId, userId)
    await parts.audit.record(traceOf(actor, 'member', organisationId, { user_id: userId, team_id: teamId, role }), trx)
  })
  parts.userChanged(access.walletId)
}

/** Takes a person out of the organisation and of all its teams; everybody may leave. */
export const dropMember = async (
  parts: OrganisationParts,
  access: OrganisationAccess,
  actor: Actor,
  userId: number,
): Promise<void> => {
  const { organisationId, walletId } = access
  const member = await placeOf(parts.database.query, organisationId, userId)
  const allowed =
    userId === access.userId || (member.role ? mayGrant(access, member.role, 0) : may(access, 'manage_members'))
  if (!allowed) throw new AppError('organisation_role_denied')
  await parts.database.transaction(async (trx) => {
    await trx
      .deleteFrom('memberships')
      .where('organisation_id', '=', organisationId)
      .where('user_id', '=', userId)
      .execute()
    await assertOwnerLeft(trx, organisationId)
    await switchOffKeys(trx, walletId, userId)
    await parts.audit.record(traceOf(actor, 'member_remove', organisationId, { user_id: userId }), trx)
  })
  parts.userChanged(walletId)
}
