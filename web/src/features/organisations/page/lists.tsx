import type { Organisation } from '../../../lib/api/contract.ts'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import { Calls } from './calls.tsx'
import { ChannelFences } from './fences.tsx'
import { Keys } from './keys.tsx'
import { Members } from './members.tsx'
import { Projects } from './projects.tsx'
import { Settings } from './settings.tsx'
import { Statement } from './statement.tsx'
import type { TabName } from './tabs.ts'

const Provisioning = onDemand(async () => (await import('../provisioning/provisioning.tsx')).Provisioning)

const OrganisationExplore = onDemand(
  async () => (await import('../explore/organisation-explore.tsx')).OrganisationExplore,
)

const OrganisationTasks = onDemand(async () => (await import('../tasks/organisation-tasks.tsx')).OrganisationTasks)

const parts = {
  members: Members,
  projects: Projects,
  keys: Keys,
  calls: Calls,
  explore: OrganisationExplore,
  tasks: OrganisationTasks,
  provisioning: Provisioning,
  statement: Statement,
  fences: ChannelFences,
  settings: Settings,
} as const

/** Every part of the page but the first; they come together. */
export const Lists = (props: { organisation: Organisation; tab: Exclude<TabName, 'overview'> }) => {
  const Part = parts[props.tab]
  return <Part organisation={props.organisation} />
}
