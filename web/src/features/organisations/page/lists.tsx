import { Skeleton } from '@mantine/core'
import { organisationTabParts } from '../../../components/parts/organisation-parts.tsx'
import type { RoleWords } from '../../../components/parts/organisation-tab.ts'
import type { Organisation } from '../../../lib/api/contract.ts'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import { roleChoices } from '../member-text.ts'
import { useOrganisationMessages } from '../messages.ts'
import { Calls } from '../work/calls.tsx'
import { ChannelFences } from './fences.tsx'
import { Keys } from './keys.tsx'
import { Members } from './members.tsx'
import { Projects } from './projects.tsx'
import { Settings } from './settings.tsx'
import { Statement } from './statement.tsx'
import { isOwnTab } from './tabs.ts'

/** A tab that a module adds. */
const ModuleTab = ({ organisation, name }: { organisation: Organisation; name: string }) => {
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

const waiting = () => <Skeleton h={280} aria-busy="true" />
const Providers = onDemand(async () => (await import('../providers/providers.tsx')).Providers, waiting)

const OrganisationTasks = onDemand(async () => (await import('../work/tasks.tsx')).OrganisationTasks)

const parts = {
  members: Members,
  projects: Projects,
  keys: Keys,
  calls: Calls,
  tasks: OrganisationTasks,
  providers: Providers,
  statement: Statement,
  fences: ChannelFences,
  settings: Settings,
} as const

/** Every part of the page but the first; they come together, except for those of modules. */
export const Lists = ({ organisation, tab }: { organisation: Organisation; tab: string }) => {
  if (!isOwnTab(tab) || tab === 'overview') return <ModuleTab organisation={organisation} name={tab} />
  const Part = parts[tab]
  return <Part organisation={organisation} />
}
