import {
  type BodyOf,
  type inviteToOrganisation,
  type Language,
  type OrganisationInvitation,
  type OrganisationRole,
  organisationRoles,
} from '@tollgate/contract'
import { sql } from 'kysely'
import { insertReturningId } from '../../db/dialect.ts'
import type { Actor } from '../../http/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { unixSeconds } from '../../lib/clock.ts'
import { newSessionId } from '../../lib/ids.ts'
import { giveRole } from './members.ts'
import { type OrganisationParts, traceOf } from './parts.ts'
import { accessTo, may, mayGrant, type OrganisationAccess } from './rights.ts'
import { teamOf } from './structure.ts'

const validDays = 7
const mostOpen = 200

const roleOf = (text: string): OrganisationRole => organisationRoles.find((role) => role === text) ?? 'viewer'

/** `b…@example.com`: enough to know one's own address by. */
const hiddenAddress = (address: string): string => address.replace(/^(.)[^@]*/, '$1…')

/**
 * The teams whose invitations a person reads and takes back; undefined stands for the whole organisation. Throws
 * AppError('organisation_role_denied') for people who lead none.
 */
const teamsLedBy = (access: OrganisationAccess): number[] | undefined => {
  if (may(access, 'manage_members')) return undefined
  const led = [...access.teams.keys()].filter((teamId) => may(access, 'manage_members', teamId))
  if (led.length === 0) throw new AppError('organisation_role_denied')
  return led
}

export interface OrganisationInvitations {
  /** Those that are open; for admins of teams alone those into their teams. */
  list(access: OrganisationAccess): Promise<OrganisationInvitation[]>
  /** The answer alone holds the secret. */
  invite(
    access: OrganisationAccess,
    actor: Actor,
    body: BodyOf<typeof inviteToOrganisation>,
    language: Language,
  ): Promise<{ secret: string; mailed: boolean }>
  revoke(access: OrganisationAccess, actor: Actor, id: number): Promise<void>
  /** Throws `invitation_invalid`, `invitation_expired` or `invitation_used`, as `accept` does. */
  show(secret: string): Promise<{ organisation: string; team: string; role: OrganisationRole; email: string }>
  /** Answers the organisation that was joined. */
  accept(actor: Actor, secret: string): Promise<number>
  /** Joins as a member by the domain of the own address. */
  joinByDomain(actor: Actor, organisationId: number): Promise<void>
}

export const openInvitations = (parts: OrganisationParts): OrganisationInvitations => {
  const { database, audit, secrets } = parts
  const { query } = database
  const now = (): number => unixSeconds(parts.clock)

  const all = () =>
    query
      .selectFrom('organisation_invitations as i')
      .innerJoin('organisations as o', 'o.id', 'i.organisation_id')
      .where('o.deleted_at', 'is', null)
  const open = () => all().where('i.accepted_by', '=', 0).where('i.expires_time', '>', now())

  const bySecret = async (secret: string) => {
    const row = await all()
      .leftJoin('teams as t', (join) => join.onRef('t.id', '=', 'i.team_id').on('t.deleted_at', 'is', null))
      .selectAll('i')
      .select(['o.name as organisation', 't.name as team'])
      .where('i.secret_hash', '=', secrets.digest('proof', `organisation ${secret}`))
      .executeTakeFirst()
    if (row === undefined || (row.team_id !== 0 && row.team === null)) throw new AppError('invitation_invalid')
    if (row.accepted_by !== 0) throw new AppError('invitation_used')
    if (row.expires_time <= now()) throw new AppError('invitation_expired')
    return row
  }

  return {
    async list(access) {
      const teams = teamsLedBy(access)
      const inOrganisation = open().where('i.organisation_id', '=', access.organisationId)
      return (teams === undefined ? inOrganisation : inOrganisation.where('i.team_id', 'in', teams))
        .select(['i.id', 'i.team_id', 'i.role', 'i.email', 'i.created_time', 'i.expires_time'])
        .orderBy('i.id', 'desc')
        .limit(mostOpen)
        .execute()
        .then((rows) => rows.map((row) => ({ ...row, role: roleOf(row.role) })))
    },

    async invite(access, actor, { team_id: teamId, role, email }, language) {
      const team = teamId === 0 ? undefined : await teamOf(query, access, teamId)
      if (!mayGrant(access, role, teamId)) throw new AppError('organisation_role_denied')
      const { count } = await open()
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('i.organisation_id', '=', access.organisationId)
        .executeTakeFirstOrThrow()
      if (Number(count) >= mostOpen) throw new AppError('too_many_requests')
      const secret = newSessionId()
      await database.transaction(async (trx) => {
        await insertReturningId(trx, 'organisation_invitations', {
          organisation_id: access.organisationId,
          team_id: teamId,
          role,
          email: email.toLowerCase(),
          secret_hash: secrets.digest('proof', `organisation ${secret}`),
          invited_by: actor.id,
          created_time: now(),
          expires_time: now() + validDays * 86_400,
        })
        await audit.record(traceOf(actor, 'invite', access.organisationId, { team_id: teamId, role, email }), trx)
      })
      const mailed =
        email !== '' &&
        (await parts.sendInvitation({
          to: email,
          language,
          inviter: actor.username,
          organisation: access.name,
          team: team?.name ?? '',
          secret,
          days: validDays,
        }))
      return { secret, mailed }
    },

    async revoke(access, actor, id) {
      const teams = teamsLedBy(access)
      await database.transaction(async (trx) => {
        const unused = trx
          .deleteFrom('organisation_invitations')
          .where('id', '=', id)
          .where('organisation_id', '=', access.organisationId)
          .where('accepted_by', '=', 0)
        const done = await (teams === undefined ? unused : unused.where('team_id', 'in', teams)).executeTakeFirst()
        if (done.numDeletedRows === 0n) throw new AppError('not_found')
        await audit.record(traceOf(actor, 'invitation_revoke', access.organisationId, { invitation_id: id }), trx)
      })
    },

    async show(secret) {
      const { organisation, team, role, email } = await bySecret(secret)
      return { organisation, team: team ?? '', role: roleOf(role), email: hiddenAddress(email) }
    },

    async accept(actor, secret) {
      const invitation = await bySecret(secret)
      const place = { organisationId: invitation.organisation_id, teamId: invitation.team_id, userId: actor.id }
      // The inviter may have lost the right since.
      const inviter = await accessTo(query, place.organisationId, invitation.invited_by).catch(() => undefined)
      const role = roleOf(invitation.role)
      if (inviter === undefined || !mayGrant(inviter, role, place.teamId)) throw new AppError('invitation_invalid')
      const user = await query.selectFrom('users').select('email').where('id', '=', actor.id).executeTakeFirst()
      if (invitation.email !== '' && user?.email.toLowerCase() !== invitation.email)
        throw new AppError('invitation_of_another_address')
      const present = await accessTo(query, place.organisationId, actor.id).catch(() => undefined)
      const held = place.teamId === 0 ? present?.role : present?.teams.get(place.teamId)
      await database.transaction(async (trx) => {
        const used = await trx
          .updateTable('organisation_invitations')
          .set({ accepted_by: actor.id })
          .where('id', '=', invitation.id)
          .where('accepted_by', '=', 0)
          .executeTakeFirst()
        if (used.numUpdatedRows === 0n) throw new AppError('invitation_used')
        // An invitation never takes a role away, e.g. from an owner who opens a link meant for others.
        if (held === undefined) await giveRole(trx, place, role, now())
        await audit.record(traceOf(actor, 'join', place.organisationId, { team_id: place.teamId, role }), trx)
      })
      return place.organisationId
    },

    async joinByDomain(actor, organisationId) {
      const joinable = await joinableBy(parts, actor.id)
      if (!joinable.some(({ id }) => id === organisationId)) throw new AppError('not_found')
      await database.transaction(async (trx) => {
        await giveRole(trx, { organisationId, teamId: 0, userId: actor.id }, 'member', now())
        await audit.record(traceOf(actor, 'join', organisationId, { role: 'member' }), trx)
      })
    },
  }
}

/** Organisations whose domain is that of the person's address, and to which they do not belong. */
export const joinableBy = async (
  { database: { query } }: { readonly database: Pick<OrganisationParts['database'], 'query'> },
  userId: number,
): Promise<{ id: number; name: string }[]> => {
  const user = await query.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  const domain = user?.email.split('@')[1]?.toLowerCase() ?? ''
  if (domain === '') return []
  return (
    query
      .selectFrom('organisations')
      .select(['id', 'name'])
      .where('domain', '=', domain)
      .where('deleted_at', 'is', null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('memberships')
              .select(sql`1`.as('one'))
              .whereRef('memberships.organisation_id', '=', 'organisations.id')
              .where('memberships.user_id', '=', userId),
          ),
        ),
      )
      // Whom the identity provider has taken out, does not come back by the address alone.
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('scim_users')
              .select('scim_users.id')
              .whereRef('scim_users.organisation_id', '=', 'organisations.id')
              .where('scim_users.user_id', '=', userId),
          ),
        ),
      )
      .orderBy('id')
      .limit(20)
      .execute()
  )
}
