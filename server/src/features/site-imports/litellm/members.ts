import type { OrganisationRole } from '@tollgate/contract'
import { parseJson } from '@tollgate/contract/json'
import { z } from 'zod'
import type { MovedMember, MovedOrganisation, OpenSiteParts } from '../site.ts'
import { real, text } from '../source/cells.ts'
import { type Bounds, isForGood, periodOf } from './budgets.ts'
import { unitsOf } from './figures.ts'
import { internalUsers, ofOrganisation, ofTeam } from './place-ids.ts'
import { rowsOf } from './rows.ts'
import type { SourceTeam } from './structure-rows.ts'

const personRow = z.object({ user_id: text, user_email: text, user_role: text })
const organisationMember = z.object({
  user_id: text,
  organization_id: text,
  user_role: text,
  budget_id: text,
  spend: real,
})
const teamMember = z.object({ user_id: text, team_id: text, budget_id: text, spend: real })
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
  readonly budgets: ReadonlyMap<string, Bounds>
}

export interface Members {
  readonly members: readonly MovedMember[]
  /** Who administers an organisation. */
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

/** The cap that a budget of a member is; undefined where none is like it. */
const capOf = (budget: Bounds | undefined, spend: number, quotaPerUnit: number): MovedMember['cap'] | 'other' => {
  if (budget === undefined || budget.max_budget === null) return undefined
  const units = unitsOf(budget.max_budget, quotaPerUnit)
  if (isForGood(budget.budget_duration)) {
    return { period: 'total', amount: Math.max(0, units - unitsOf(spend, quotaPerUnit)) }
  }
  const window = periodOf(budget.budget_duration)?.window
  return window === 'day' || window === 'month' ? { period: window, amount: units } : 'other'
}

/** Who belongs to which organisation and team, with what they may spend. Administrators of the proxy own all organisations. */
export const readMembers = async (parts: OpenSiteParts, wanted: MemberParts): Promise<Members> => {
  const { notes, quotaPerUnit } = parts
  const people = await readPeople(parts)
  const members = new Map<string, MovedMember>()
  /** Organisation and user → the place that has the cap. */
  const capped = new Map<string, string>()

  const add = (organisationId: string, teamId: string, userId: string, role: OrganisationRole): void => {
    const sourceId = [organisationId, teamId, userId].join('|')
    if (!people.ids.has(userId)) notes.note('member_gone', userId)
    else if (!members.has(sourceId)) members.set(sourceId, { sourceId, organisationId, teamId, userId, role })
  }

  const cap = (place: MovedMember | undefined, shown: string, budget: Bounds | undefined, spend: number): void => {
    if (place === undefined || budget === undefined) return
    if ([budget.tpm_limit, budget.rpm_limit, budget.max_parallel_requests].some((limit) => limit !== null))
      notes.note('rate_limit', shown)
    const found = capOf(budget, spend, quotaPerUnit)
    if (found === undefined) return
    const person = [place.organisationId, place.userId].join('|')
    if (found === 'other' || capped.has(person)) {
      notes.note('member_budget', `${shown}: ${budget.max_budget} USD / ${budget.budget_duration || '∞'}`)
      return
    }
    capped.set(person, place.sourceId)
    members.set(place.sourceId, { ...place, cap: found })
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

  for (const row of ofOrganisations) {
    const place = members.get([row.organization_id, '', row.user_id].join('|'))
    cap(place, `${row.user_id} (${row.organization_id})`, wanted.budgets.get(row.budget_id), row.spend ?? 0)
  }
  const ofTeams = await rowsOf(parts, {
    table: 'LiteLLM_TeamMembership',
    column: 'user_id',
    shape: teamMember,
    isUnique: false,
  })
  const teams = new Map(wanted.teams.map((team) => [team.team_id, team]))
  for (const row of ofTeams) {
    const team = teams.get(row.team_id)
    const place = members.get([team?.organisationId ?? '', row.team_id, row.user_id].join('|'))
    cap(place, `${row.user_id} (${team?.team_alias || row.team_id})`, wanted.budgets.get(row.budget_id), row.spend ?? 0)
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
  return { members: [...members.values()], organisationAdmins: new Set(admins.map(({ userId }) => userId)) }
}
