import type { MovedMember, OpenSiteParts } from '../site.ts'
import type { Bounded } from './bound-limits.ts'
import { type Bounds, isForGood, noteRenewal, type SharedBudget, unbounded, withShared } from './budgets.ts'
import { unitsOf } from './figures.ts'
import { rowsOf } from './rows.ts'
import { type LitellmMember, type SourceTeam, teamMember } from './structure-rows.ts'

interface Wanted {
  readonly teams: readonly SourceTeam[]
  readonly budgets: ReadonlyMap<string, SharedBudget>
  readonly members: ReadonlyMap<string, MovedMember>
  readonly ofOrganisations: readonly LitellmMember[]
}

/** Budget of one member in an organisation or a team of it. */
interface MemberBudget {
  readonly place: MovedMember
  /** Name of the organisation or the team. */
  readonly where: string
  readonly bounds: Bounds
  /** Dollars, of the present period. */
  readonly spend: number
}

export interface BoundsOfMembers {
  /** By the source id of the place. */
  readonly caps: ReadonlyMap<string, NonNullable<MovedMember['cap']>>
  readonly limited: readonly Bounded[]
}

/** The default budget of a team's members, which its metadata name. */
const defaultBudget = ({ metadata }: { readonly metadata: Readonly<Record<string, unknown>> }): string =>
  typeof metadata.team_member_budget_id === 'string' ? metadata.team_member_budget_id : ''

const teamBudgets = async (parts: OpenSiteParts, { members, teams, budgets }: Wanted): Promise<MemberBudget[]> => {
  const rows = await rowsOf(parts, {
    table: 'LiteLLM_TeamMembership',
    column: 'user_id',
    shape: teamMember,
    isUnique: false,
  })
  const rowOf = new Map(rows.map((row) => [[row.team_id, row.user_id].join('|'), row]))
  const teamOf = new Map(teams.map((team) => [team.team_id, team]))
  return [...members.values()].flatMap((place): MemberBudget[] => {
    const team = teamOf.get(place.teamId)
    if (team === undefined) return []
    const row = rowOf.get([place.teamId, place.userId].join('|'))
    const where = team.team_alias || team.team_id
    const own = budgets.get(row?.budget_id ?? '')
    const models = own?.allowed_models ?? []
    if (models.length > 0) parts.notes.note('member_models', `${place.userId} (${where}): ${models.join(', ')}`)
    // A member's budget without an amount leaves that of the team in force.
    const bounds = withShared(own ?? unbounded, budgets.get(defaultBudget(team)))
    return [{ place, where, bounds, spend: row?.spend ?? 0 }]
  })
}

const organisationBudgets = ({ members, budgets, ofOrganisations }: Wanted): MemberBudget[] =>
  ofOrganisations.flatMap((row): MemberBudget[] => {
    const place = members.get([row.organization_id, '', row.user_id].join('|'))
    const bounds = budgets.get(row.budget_id)
    if (place === undefined || bounds === undefined) return []
    return [{ place, where: row.organization_id, bounds, spend: row.spend ?? 0 }]
  })

/**
 * A budget for good is a cap where the person has one place in the organisation, as a cap bounds all keys of the person there.
 * What else bounds a member is a limit.
 */
export const boundsOfMembers = async (parts: OpenSiteParts, wanted: Wanted): Promise<BoundsOfMembers> => {
  const { notes, quotaPerUnit } = parts
  const places = new Map<string, number>()
  const personOf = ({ organisationId, userId }: MovedMember): string => [organisationId, userId].join('|')
  for (const place of wanted.members.values()) {
    if (place.teamId !== '') places.set(personOf(place), (places.get(personOf(place)) ?? 0) + 1)
  }
  const caps = new Map<string, NonNullable<MovedMember['cap']>>()
  const capped = new Set<string>()
  const limited: Bounded[] = []
  for (const { place, where, bounds, spend } of [
    ...organisationBudgets(wanted),
    ...(await teamBudgets(parts, wanted)),
  ]) {
    const { max_budget: max, budget_duration: duration } = bounds
    const person = personOf(place)
    noteRenewal(bounds, `${place.userId} (${where})`, notes)
    const isCap =
      max !== null && isForGood(duration) && !capped.has(person) && (place.teamId === '' || places.get(person) === 1)
    if (isCap) {
      capped.add(person)
      const amount = Math.max(0, unitsOf(max, quotaPerUnit) - unitsOf(spend, quotaPerUnit))
      caps.set(place.sourceId, { period: 'total', amount })
    }
    limited.push({
      subject:
        place.teamId === ''
          ? { kind: 'organisation', sourceId: place.organisationId }
          : { kind: 'team', sourceId: place.teamId },
      memberId: place.userId,
      name: `member ${place.userId} of ${where}`,
      bounds,
      spend,
      limitsOnce: !isCap,
    })
  }
  return { caps, limited }
}
