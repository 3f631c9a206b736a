import { Skeleton } from '@mantine/core'
import type { ComponentType } from 'react'
import { moduleOrganisationTabs } from '../../../../modules/lists/organisation-tabs.ts'
import { moduleOrganisationTasks } from '../../../../modules/lists/organisation-tasks.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import type { OrganisationTab, OrganisationTabProps } from './organisation-tab.ts'
import type { OrganisationTaskKind } from './organisation-task.ts'

const waiting = () => <Skeleton h={280} aria-busy="true" />

/** The tabs of all modules. */
export const organisationTabs: readonly OrganisationTab[] = moduleOrganisationTabs

/** The components of those tabs by name, each loaded when it is first drawn. */
export const organisationTabParts: ReadonlyMap<string, ComponentType<OrganisationTabProps>> = new Map(
  organisationTabs.map((tab) => [tab.name, onDemand<OrganisationTabProps>(() => tab.load(), waiting)]),
)

const taskKindsOfModules: readonly OrganisationTaskKind[] = moduleOrganisationTasks

/** The kinds of all modules, in their order. */
export const organisationTaskKinds = taskKindsOfModules.toSorted((one, other) => one.position - other.position)
