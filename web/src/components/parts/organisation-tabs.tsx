import { Skeleton } from '@mantine/core'
import type { ComponentType } from 'react'
import { moduleOrganisationTabs } from '../../../../modules/lists/organisation-tabs.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import type { OrganisationTab, OrganisationTabProps } from './organisation-tab.ts'

const waiting = () => <Skeleton h={280} aria-busy="true" />

/** The tabs of all modules. */
export const organisationTabs: readonly OrganisationTab[] = moduleOrganisationTabs

/** The components of those tabs by name, each loaded when it is first drawn. */
export const organisationTabParts: ReadonlyMap<string, ComponentType<OrganisationTabProps>> = new Map(
  organisationTabs.map((tab) => [tab.name, onDemand<OrganisationTabProps>(() => tab.load(), waiting)]),
)
