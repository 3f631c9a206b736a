import type { OrganisationRole } from '@tollgate/contract'
import { parseJson } from '@tollgate/contract/json'
import { z } from 'zod'
import type { MovedMember, MovedOrganisation, OpenSiteParts } from '../site.ts'
import { text } from '../source/cells.ts'
import type { Bounded } from './bound-limits.ts'
import type { SharedBudget } from './budgets.ts'
import { boundsOfMembers } from './member-bounds.ts'
import { internalUsers, ofOrganisation, ofTeam } from './place-ids.ts'
import { rowsOf } from './rows.ts'
import { organisationMember, type SourceTeam } from './structure-rows.ts'

const personRow = z.object({ user_id: text, user_email: text, user_role: text })
const roleInTeam = z.object({ user_id: text, user_email: text, role: text })

const roles: ReadonlyMap<string, OrganisationRole> = new Map([
  ['org_admin', 'admin'],
  ['internal_user_viewer', 'viewer'],
])

export interface MemberParts {
  readonly organisations: readonly MovedOrganisation[]
  readonly teams: readonly (SourceTeam & { readonly organisationId: string })[]
  /** Users of keys, by `ofTeam` and `ofOrganisation`. */
  readonly keyUsers: ReadonlyMap<string, ReadonlySet<string>>
  readonly budgets: ReadonlyMap<string, SharedBudget>
}

export interface Members {
  readonly members: readonly MovedMember[]
  /** Bounds of single members in an organisation or a team that are no caps. */
  readonly memberBounds: readonly Bounded[]
  /** Administrators of an organisation. */
  readonly organisationAdmins: ReadonlySet<string>
}

const readPeople = async (parts: OpenSiteParts) => {
  const people = await rowsOf(parts, { table: 'LiteLLM_UserTable', column: 'user_id', shape: personRow })
  return {
    ids: new Set(people.map(({ user_id }) => user_id)),
    byEmail: new Map(people.map(({ user_id, user_email }) => [user_email.toLowerCase(), user_id])),
    admins: people.flatMap(({ user_id: id, user_role: role }) =>
      role === 'proxy_admin' && !internalUsers.has(id) ? [id] : [],
    ),
  }
}

/** Reads the members of organisations and teams with their budgets. Administrators of the proxy own all organisations. */
export const readMembers = async (parts: OpenSiteParts, wanted: MemberParts): Promise<Members> => {
  const { notes } = parts
  const people = await readPeople(parts)
  const members = new Map<string, MovedMember>()

  const add = (organisationId: string, teamId: string, userId: string, role: OrganisationRole): void => {
    const sourceId = [organisationId, teamId, userId].join('|')
    if (!people.ids.has(userId)) notes.note('member_gone', userId)
    else if (!members.has(sourceId)) members.set(sourceId, { sourceId, organisationId, teamId, userId, role })
  }

  const ofOrganisations = await rowsOf(parts, {
    table: 'LiteLLM_OrganizationMembership',
    column: 'user_id',
    shape: organisationMember,
    isUnique: false,
  })
  const known = new Set(wanted.organisations.map(({ sourceId }) => sourceId))
  for (const { user_id: user, organization_id: id, user_role: role } of ofOrganisations) {
    if (known.has(id)) add(id, '', user, roles.get(role) ?? 'member')
  }
  for (const team of wanted.teams) {
    const named = z.array(roleInTeam).catch([]).parse(parseJson(team.members_with_roles))
    for (const { user_id: id, user_email: email, role } of named) {
      const user = id || (people.byEmail.get(email.toLowerCase()) ?? email)
      add(team.organisationId, team.team_id, user, role === 'admin' ? 'admin' : 'member')
    }
    const others = [...team.members, ...(wanted.keyUsers.get(ofTeam(team.team_id)) ?? [])]
    for (const user of others) add(team.organisationId, team.team_id, user, 'member')
  }
  for (const { sourceId } of wanted.organisations) {
    for (const user of wanted.keyUsers.get(ofOrganisation(sourceId)) ?? []) add(sourceId, '', user, 'member')
  }

  const bounds = await boundsOfMembers(parts, { ...wanted, members, ofOrganisations })
  for (const [sourceId, cap] of bounds.caps) {
    const place = members.get(sourceId)
    if (place !== undefined) members.set(sourceId, { ...place, cap })
  }

  const admins = [...members.values()].filter(({ teamId, role }) => teamId === '' && role === 'admin')
  for (const { sourceId } of wanted.organisations) {
    const own = admins.filter(({ organisationId }) => organisationId === sourceId).map(({ userId }) => userId)
    for (const user of people.admins.length > 0 ? people.admins : own) {
      const id = [sourceId, '', user].join('|')
      const place = { sourceId: id, organisationId: sourceId, teamId: '', userId: user }
      members.set(id, { ...place, ...members.get(id), role: 'owner' })
    }
  }
  return {
    members: [...members.values()],
    memberBounds: bounds.limited,
    organisationAdmins: new Set(admins.map(({ userId }) => userId)),
  }
}
