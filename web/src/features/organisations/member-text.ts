import type { Organisation, OrganisationMember, OrganisationRole } from '../../lib/api/contract.ts'
import type { SayOrganisation } from './messages.ts'

const all = ['owner', 'admin', 'billing', 'member', 'viewer'] as const satisfies readonly OrganisationRole[]
const inTeams: readonly OrganisationRole[] = ['admin', 'member', 'viewer']

/** The roles that the reader may give in the organisation (team 0) or in a team, with what each may do. */
export const roleChoices = (
  { role }: Pick<Organisation, 'role'>,
  teamId: number,
  say: SayOrganisation,
): { value: OrganisationRole; label: string }[] =>
  all
    .filter((one) => teamId === 0 || inTeams.includes(one))
    .filter((one) => role === 'owner' || (one !== 'owner' && one !== 'billing'))
    .map((value) => ({ value, label: `${say(value)} · ${say(`${value}_hint`)}` }))

/** The role in the organisation, then those in teams. */
export const roleText = (member: OrganisationMember, organisation: Organisation, say: SayOrganisation): string => {
  const inTeams = member.teams.map(({ team_id, role }) =>
    say('inTeam', { team: organisation.teams.find(({ id }) => id === team_id)?.name ?? '', role: say(role) }),
  )
  return [...(member.role === null ? [] : [say(member.role)]), ...inTeams].join(', ')
}

/** Name of a key's member; 0 is a machine. */
export const memberName = (members: Organisation['members'], id: number, say: SayOrganisation): string => {
  const member = members.find(({ user_id }) => user_id === id)
  return id === 0 ? say('machine') : member?.display_name || member?.username || '—'
}
