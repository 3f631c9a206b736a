import type { Organisation, OrganisationMember } from '../../lib/api/contract.ts'
import type { SayOrganisation } from './messages.ts'

/** The role in the organisation, then those in teams. */
export const roleText = (member: OrganisationMember, organisation: Organisation, say: SayOrganisation): string => {
  const inTeams = member.teams.map(({ team_id, role }) =>
    say('inTeam', { team: organisation.teams.find(({ id }) => id === team_id)?.name ?? '', role: say(role) }),
  )
  return [...(member.role === null ? [] : [say(member.role)]), ...inTeams].join(', ')
}
