import type { RoleWords } from '../../../components/parts/organisation-tab.ts'
import { organisationTabParts } from '../../../components/parts/organisation-tabs.tsx'
import type { Organisation } from '../../../lib/api/contract.ts'
import { roleChoices } from '../forms/roles.ts'
import { useOrganisationMessages } from '../messages.ts'

/** A tab that a module adds. */
export const ModuleTab = ({ organisation, name }: { organisation: Organisation; name: string }) => {
  const say = useOrganisationMessages()
  const placeName = (teamId: number): string =>
    teamId === 0
      ? say('wholeOrganisation')
      : (organisation.teams.find(({ id }) => id === teamId)?.name ?? String(teamId))
  const roles: RoleWords = {
    name: say,
    placeName,
    inPlace: (teamId, role) => say('inTeam', { team: placeName(teamId), role: say(role) }),
    choices: (teamId) => roleChoices(organisation, teamId, say),
  }
  const Part = organisationTabParts.get(name)
  return Part && <Part organisation={organisation} roles={roles} />
}
