import { Skeleton } from '@mantine/core'
import type { Organisation } from '../../../lib/api/contract.ts'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import { Calls } from '../work/calls.tsx'
import { ChannelFences } from './fences.tsx'
import { Keys } from './keys.tsx'
import { Members } from './members.tsx'
import { ModuleTab } from './module-tab.tsx'
import { Projects } from './projects.tsx'
import { Settings } from './settings.tsx'
import { Statement } from './statement.tsx'
import { isOwnTab } from './tabs.ts'

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
