import type { Organisation, OrganisationProject, OrganisationRole, ProjectKey } from '../../lib/api/contract.ts'

// Rights by which the screens leave out actions that the server would refuse; the server checks them itself.

/** True if the reader may give and take a role: owners and people who pay are named by owners alone. */
export const mayGrant = ({ may, role: own }: Organisation, role: OrganisationRole | null): boolean =>
  may.includes('manage_members') && (own === 'owner' || (role !== 'owner' && role !== 'billing'))

/** The teams into which the reader may invite: all for who manages members, otherwise those that they lead. */
export const teamsToInvite = (organisation: Organisation, userId: number | undefined): Organisation['teams'] =>
  organisation.may.includes('manage_members')
    ? organisation.teams
    : organisation.teams.filter(({ id }) => userId !== undefined && roleInTeam(organisation, userId, id) === 'admin')

/** True if the reader may invite people, into the whole organisation or into a team. */
export const mayInvite = (organisation: Organisation, userId: number | undefined): boolean =>
  organisation.may.includes('manage_members') || teamsToInvite(organisation, userId).length > 0

const roleInTeam = ({ members }: Organisation, userId: number, teamId: number): OrganisationRole | undefined =>
  members.find(({ user_id }) => user_id === userId)?.teams.find(({ team_id }) => team_id === teamId)?.role

/** True if the reader may read calls and spending of others: of all, or of a team that they lead. */
export const readsOthers = (organisation: Organisation, userId: number): boolean =>
  organisation.may.includes('read_all') ||
  organisation.teams.some(({ id }) => roleInTeam(organisation, userId, id) === 'admin')

/** The projects in which the reader may have keys: by their role in the organisation or in a team. */
export const usableProjects = (organisation: Organisation, userId: number): readonly OrganisationProject[] =>
  organisation.projects.filter(({ team_id }) => {
    const inTeam = roleInTeam(organisation, userId, team_id)
    return organisation.may.includes('use') || inTeam === 'admin' || inTeam === 'member'
  })

/**
 * The projects to which the reader may move a key: an own one to where the reader may use keys, another one to where the reader manages keys and
 * its person may use them. A person's key whose secret others may know moves nowhere.
 */
export const projectsToMoveTo = (
  organisation: Organisation,
  userId: number,
  { project_id, member_id, shared }: Pick<ProjectKey, 'project_id' | 'member_id' | 'shared'>,
): readonly OrganisationProject[] => {
  const others = (projects: readonly OrganisationProject[]) => projects.filter(({ id }) => id !== project_id)
  if (shared && member_id !== 0) return []
  if (member_id === userId) return others(usableProjects(organisation, userId))
  return others(organisation.projects).filter(({ team_id }) => {
    if (!managesKeys(organisation, userId, team_id)) return false
    const holder = usersOfTeam(organisation, team_id).find(({ user_id }) => user_id === member_id)
    return member_id === 0 || holder?.suspended === false
  })
}

/** The members who may have keys in projects of a team. */
export const usersOfTeam = ({ members }: Organisation, teamId: number): Organisation['members'] =>
  members.filter(({ role, teams }) => {
    const inTeam = teams.find(({ team_id }) => team_id === teamId)?.role
    return role === 'owner' || role === 'admin' || role === 'member' || inTeam === 'admin' || inTeam === 'member'
  })

/** True if the reader may make keys for others in a project of this team. */
export const managesKeys = (organisation: Organisation, userId: number, teamId: number): boolean =>
  organisation.may.includes('manage_keys') || roleInTeam(organisation, userId, teamId) === 'admin'
