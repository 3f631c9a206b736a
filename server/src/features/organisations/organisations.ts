import {
  type BodyOf,
  type DataOf,
  type foundOrganisation,
  type listOrganisations,
  type Organisation,
  type OrganisationMember,
  role,
  teamRoles,
  type transferToOrganisation,
  type updateOrganisation,
} from '@tollgate/contract'
import { roleIn } from '../../http/access.ts'
import type { RankedActor } from '../../http/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { unixSeconds } from '../../lib/clock.ts'
import { readCapsOf } from './caps.ts'
import { provedByDns } from './domains/domain-proof.ts'
import { insertOrganisation } from './founding.ts'
import { joinableBy } from './invitations.ts'
import { giveRole } from './members.ts'
import { type OrganisationParts, traceOf } from './parts.ts'
import { accessTo, actionsFor, assertMay, may, notSuspended, type OrganisationAccess } from './rights.ts'
import { monthStart, readableKeys, spendOf } from './spend.ts'
import { projectsOf, teamsOf } from './structure.ts'

/** Organisations that one person may found. */
const mostFounded = 20

export interface Organisations {
  list(actor: RankedActor): Promise<DataOf<typeof listOrganisations>>
  /** Answers the id. */
  found(actor: RankedActor, body: BodyOf<typeof foundOrganisation>): Promise<number>
  get(access: OrganisationAccess): Promise<Organisation>
  update(access: OrganisationAccess, actor: RankedActor, body: BodyOf<typeof updateOrganisation>): Promise<void>
  transfer(access: OrganisationAccess, actor: RankedActor, body: BodyOf<typeof transferToOrganisation>): Promise<void>
}

const namesIn = (list: string): string[] => list.split(',').filter((name) => name !== '')

export const openOrganisations = (parts: OrganisationParts): Organisations => {
  const { database, ledger, audit } = parts
  const { query } = database
  const now = (): number => unixSeconds(parts.clock)

  const mayFound = (actor: RankedActor): boolean =>
    roleIn(actor, 'organisations', 'write') >= role.admin || parts.usersFound()

  const membersOf = async (access: OrganisationAccess) => {
    const rows = await query
      .selectFrom('memberships as m')
      .innerJoin('users as u', 'u.id', 'm.user_id')
      .leftJoin('scim_users as s', (join) =>
        join
          .onRef('s.organisation_id', '=', 'm.organisation_id')
          .onRef('s.user_id', '=', 'm.user_id')
          .on('s.state', '=', 'suspended'),
      )
      .select(['m.user_id', 'm.team_id', 'm.role', 'u.username', 'u.display_name', 's.id as suspension'])
      .where('m.organisation_id', '=', access.organisationId)
      .where('u.deleted_at', 'is', null)
      .orderBy('m.id')
      .execute()
    return [...new Set(rows.map(({ user_id }) => user_id))].flatMap((userId) => {
      const own = rows.filter(({ user_id }) => user_id === userId)
      const [first] = own
      return first === undefined ? [] : [{ ...first, places: own }]
    })
  }

  return {
    async list(actor) {
      const rows = await query
        .selectFrom('memberships as m')
        .innerJoin('organisations as o', 'o.id', 'm.organisation_id')
        .select(['o.id', 'o.name'])
        .where('m.user_id', '=', actor.id)
        .where('o.deleted_at', 'is', null)
        .where(notSuspended)
        .groupBy(['o.id', 'o.name'])
        .orderBy('o.id')
        .execute()
      const items = await Promise.all(
        rows.map(async (row) => ({ ...row, role: (await accessTo(query, row.id, actor.id)).role ?? null })),
      )
      return { may_found: mayFound(actor), items, joinable: await joinableBy(parts, actor.id) }
    },

    async found(actor, { name }) {
      if (!mayFound(actor)) throw new AppError('organisations_closed')
      const { count } = await query
        .selectFrom('memberships')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('user_id', '=', actor.id)
        .where('role', '=', 'owner')
        .executeTakeFirstOrThrow()
      if (Number(count) >= mostFounded) throw new AppError('too_many_requests')
      return database.transaction(async (trx) => {
        const founder = await trx
          .selectFrom('users')
          .select('group')
          .where('id', '=', actor.id)
          .executeTakeFirstOrThrow()
        const made = { name, group: founder.group, models: [], createdTime: now() }
        const { id } = await insertOrganisation(trx, made)
        await giveRole(trx, { organisationId: id, teamId: 0, userId: actor.id }, 'owner', now())
        await audit.record(traceOf(actor, 'found', id, { name }), trx)
        return id
      })
    },

    async get(access) {
      const [teams, projects, people, caps, keys] = await Promise.all([
        teamsOf(query, access),
        projectsOf(query, access),
        membersOf(access),
        readCapsOf(query, access.organisationId, parts.clock()),
        readableKeys(query, access),
      ])
      const month = { from: monthStart(now()), to: 0, tag: '' }
      const spend = await spendOf(query, access, keys, month)
      const sum = (fits: (row: (typeof spend)[number]) => boolean): number =>
        spend.filter(fits).reduce((total, { quota }) => total + quota, 0)
      const wallet = await query
        .selectFrom('users')
        .select('quota')
        .where('id', '=', access.walletId)
        .executeTakeFirstOrThrow()
      const readsAll = may(access, 'read_all')
      const visible = new Set(teams.map(({ id }) => id))
      const members = people.map(({ user_id, username, display_name, suspension, places }): OrganisationMember => {
        const reads = readsAll || user_id === access.userId
        const whole = places.find(({ team_id }) => team_id === 0)?.role
        return {
          user_id,
          username,
          display_name,
          suspended: suspension !== null,
          role: (whole as OrganisationMember['role'] | undefined) ?? null,
          teams: places.flatMap(({ team_id, role: inTeam }) => {
            const known = teamRoles.find((one) => one === inTeam)
            return known !== undefined && visible.has(team_id) ? [{ team_id, role: known }] : []
          }),
          keys: keys.filter(({ memberId }) => memberId === user_id).length,
          spent: reads ? sum(({ member_id }) => member_id === user_id) : null,
          cap: reads ? (caps.members.get(user_id) ?? null) : null,
        }
      })
      const seesMember = (member: OrganisationMember): boolean =>
        access.ofSite === true ||
        access.role !== undefined ||
        member.teams.length > 0 ||
        member.user_id === access.userId
      return {
        id: access.organisationId,
        name: access.name,
        domain: access.domain,
        time_zone: access.timeZone,
        models: namesIn(access.models),
        role: access.role ?? null,
        may: actionsFor(access),
        own_providers: parts.providersOpen() && may(access, 'manage_organisation'),
        balance: readsAll ? wallet.quota : null,
        spent: sum(() => true),
        teams: teams.map(({ id, name, models }) => ({ id, name, models: namesIn(models) })),
        projects: projects.map(({ id, team_id, name, models }) => {
          const reads = may(access, 'read_all', team_id)
          return {
            id,
            team_id,
            name,
            models: namesIn(models),
            keys: keys.filter(({ projectId }) => projectId === id).length,
            spent: reads ? sum(({ project_id }) => project_id === id) : null,
            cap: reads ? (caps.projects.get(id) ?? null) : null,
          }
        }),
        members: members.filter(seesMember),
      }
    },

    async update(access, actor, { name, domain, models, time_zone }) {
      assertMay(access, 'manage_organisation')
      if (domain !== '' && domain !== access.domain) {
        // Nobody may claim the domain of others: it must be that of the own address, which is proved, or be proved by its DNS.
        const own = await query.selectFrom('users').select('email').where('id', '=', actor.id).executeTakeFirst()
        const ofAddress = own?.email.split('@')[1]?.toLowerCase() === domain
        if (!ofAddress && (await provedByDns(query, access.organisationId)) !== domain)
          throw new AppError('organisation_domain_foreign')
      }
      await database.transaction(async (trx) => {
        const { organisationId: id } = access
        await trx
          .updateTable('organisations')
          .set({ name, domain, ...(models && { models: models.join(',') }), ...(time_zone && { time_zone }) })
          .where('id', '=', id)
          .execute()
        await trx.updateTable('users').set({ display_name: name }).where('id', '=', access.walletId).execute()
        await audit.record(traceOf(actor, 'update', id, { name, domain, models, time_zone }), trx)
        // Giving up the domain ends the enforcement of its sign-in; setting the domain again does not restore it.
        if (domain !== access.domain && (await parts.providers.endEnforcement(trx, id)))
          await audit.record(traceOf(actor, 'enforcement_end', id, { domain: access.domain }), trx)
      })
      if (domain !== access.domain) await parts.providers.changed()
      parts.userChanged(access.walletId)
    },

    async transfer(access, actor, { direction, amount, transfer_id }) {
      assertMay(access, direction === 'in' ? 'pay_in' : 'pay_out')
      const { organisationId, walletId } = access
      const [from, to] = direction === 'in' ? [actor.id, walletId] : [walletId, actor.id]
      const detail = { by: actor.id, organisation: organisationId }
      const common = { account: 'user', reason: 'transfer', detail } as const
      await ledger.move({
        id: `organisation:${organisationId}:${actor.id}:${transfer_id}`,
        takes: [{ ...common, accountId: from, amount }],
        gives: [{ ...common, accountId: to, amount }],
      })
      await audit.record(traceOf(actor, 'transfer', organisationId, { direction, amount }))
    },
  }
}
