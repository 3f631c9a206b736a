import {
  type BodyOf,
  type DataOf,
  type getProvisioning,
  mostGroupPlaces,
  type ProvisionedGroup,
  type ProvisionedRole,
  type setGroupPlaces,
} from '@tollgate/contract'
import type { Transaction } from 'kysely'
import { insertReturningId } from '#server/db/dialect.ts'
import type { Tables } from '#server/db/schema.ts'
import { lockOrganisation } from '#server/features/organisations/assigned-roles.ts'
import { provedDomain } from '#server/features/organisations/domains/proved-domains.ts'
import { traceOf } from '#server/features/organisations/parts.ts'
import { assertMay, mayGrant, type OrganisationAccess } from '#server/features/organisations/rights.ts'
import { teamsOf } from '#server/features/organisations/structure.ts'
import type { Actor } from '#server/http/actor.ts'
import { AppError } from '#server/lib/app-error.ts'
import type { ScimCallLog } from './call-log.ts'
import { groupKey, readGroupPlaces } from './group-places.ts'
import { readGroups, readMembers } from './groups-store.ts'
import type { ProvisioningParts } from './parts.ts'
import { provisionedRoleOf, type ScimTokens } from './tokens.ts'
import { applyPlacesOf } from './writing.ts'

/** Settings of provisioning for owners and admins of an organisation. */
export interface Provisioning {
  show(access: OrganisationAccess): Promise<DataOf<typeof getProvisioning>>
  setRole(access: OrganisationAccess, actor: Actor, role: ProvisionedRole): Promise<void>
  setPlaces(access: OrganisationAccess, actor: Actor, body: BodyOf<typeof setGroupPlaces>): Promise<void>
}

export const openProvisioning = (
  parts: ProvisioningParts,
  { tokens, calls }: { readonly tokens: ScimTokens; readonly calls: ScimCallLog },
): Provisioning => {
  const { database, audit } = parts
  const { query } = database

  const roleIn = async (on: typeof query, organisationId: number) => {
    const row = await on
      .selectFrom('organisations')
      .select('provisioned_role')
      .where('id', '=', organisationId)
      .executeTakeFirstOrThrow()
    return provisionedRoleOf(row.provisioned_role)
  }

  const groupsIn = async (organisationId: number): Promise<ProvisionedGroup[]> => {
    const [sent, chosen, places, counts] = await Promise.all([
      readGroups(query, organisationId),
      query
        .selectFrom('group_places')
        .selectAll()
        .where('organisation_id', '=', organisationId)
        .orderBy('id')
        .execute(),
      readGroupPlaces(query, organisationId),
      query
        .selectFrom('scim_group_members as m')
        .innerJoin('scim_groups as g', 'g.id', 'm.group_id')
        .select('g.id')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('g.organisation_id', '=', organisationId)
        .groupBy('g.id')
        .execute(),
    ])
    const chosenKeys = new Set(chosen.map(({ group_key }) => group_key))
    const of = (name: string, members: number | null): ProvisionedGroup => ({
      name,
      members,
      by_name: !chosenKeys.has(groupKey(name)),
      places: (places.get(groupKey(name)) ?? []).map(({ teamId, role }) => ({ team_id: teamId, role })),
    })
    const memberCounts = new Map(counts.map(({ id, count }) => [id, Number(count)]))
    const sentKeys = new Set(sent.map(({ name }) => groupKey(name)))
    const unsent = new Map(
      chosen.filter((row) => !sentKeys.has(row.group_key)).map((row) => [row.group_key, row.group_name]),
    )
    return [
      ...sent.map(({ id, name }) => of(name, memberCounts.get(id) ?? 0)),
      ...[...unsent.values()].map((name) => of(name, null)),
    ]
  }

  /** Everybody whom SCIM keeps in the organisation. */
  const keptIn = async (trx: Transaction<Tables>, organisationId: number): Promise<number[]> => {
    const rows = await trx
      .selectFrom('scim_users')
      .select('user_id')
      .where('organisation_id', '=', organisationId)
      .where('state', '<>', 'removed')
      .execute()
    return rows.map(({ user_id }) => user_id)
  }

  const writePlaces = async (
    trx: Transaction<Tables>,
    organisationId: number,
    { name, places }: BodyOf<typeof setGroupPlaces>,
  ): Promise<void> => {
    const key = groupKey(name)
    await trx
      .deleteFrom('group_places')
      .where('organisation_id', '=', organisationId)
      .where('group_key', '=', key)
      .execute()
    const { count } = await trx
      .selectFrom('group_places')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('organisation_id', '=', organisationId)
      .executeTakeFirstOrThrow()
    if (Number(count) + (places?.length ?? 0) > mostGroupPlaces) throw new AppError('invalid_parameter')
    const row = { organisation_id: organisationId, group_name: name, group_key: key }
    for (const { team_id, role } of places ?? [])
      await insertReturningId(trx, 'group_places', { ...row, team_id, role })
  }

  return {
    async show(access) {
      assertMay(access, 'manage_members')
      const { organisationId } = access
      const [role, states, domain] = await Promise.all([
        roleIn(query, organisationId),
        query
          .selectFrom('scim_users')
          .select('state')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('organisation_id', '=', organisationId)
          .where('state', '<>', 'removed')
          .groupBy('state')
          .execute(),
        provedDomain(query, access),
      ])
      const countOf = (state: string): number => Number(states.find((row) => row.state === state)?.count ?? 0)
      return {
        path: `/scim/v2/${organisationId}`,
        server_address: parts.serverAddress(),
        proved_domain: domain,
        role: role ?? 'none',
        people: countOf('active') + countOf('suspended'),
        suspended: countOf('suspended'),
        tokens: await tokens.list(access),
        groups: await groupsIn(organisationId),
        calls: await calls.list(organisationId),
      }
    },

    async setRole(access, actor, role) {
      assertMay(access, 'manage_members')
      const { organisationId } = access
      await database.transaction(async (trx) => {
        await lockOrganisation(trx, organisationId)
        const provisioned_role = role === 'none' ? '' : role
        await trx.updateTable('organisations').set({ provisioned_role }).where('id', '=', organisationId).execute()
        const place = { organisationId, role: provisionedRoleOf(provisioned_role) }
        await applyPlacesOf(parts, trx, place, await keptIn(trx, organisationId))
        await audit.record(traceOf(actor, 'provisioning', organisationId, { role }), trx)
      })
      parts.userChanged(access.walletId)
    },

    async setPlaces(access, actor, body) {
      assertMay(access, 'manage_members')
      const { organisationId } = access
      const teams = new Set((await teamsOf(query, access)).map(({ id }) => id))
      const named = new Set<number>()
      for (const { team_id, role } of body.places ?? []) {
        if (team_id !== 0 && !teams.has(team_id)) throw new AppError('not_found')
        if (named.has(team_id)) throw new AppError('invalid_parameter')
        if (!mayGrant(access, role, team_id)) throw new AppError('organisation_role_denied')
        named.add(team_id)
      }
      await database.transaction(async (trx) => {
        await lockOrganisation(trx, organisationId)
        await writePlaces(trx, organisationId, body)
        const role = await roleIn(trx, organisationId)
        const members = (await readGroups(trx, organisationId)).filter(
          ({ name }) => groupKey(name) === groupKey(body.name),
        )
        for (const { id } of members)
          await applyPlacesOf(parts, trx, { organisationId, role }, await readMembers(trx, id))
        await audit.record(traceOf(actor, 'group_places', organisationId, body), trx)
      })
      parts.userChanged(access.walletId)
    },
  }
}
