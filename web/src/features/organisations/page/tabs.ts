import type { Organisation, OrganisationAction } from '../../../lib/api/contract.ts'

const allTabs = [
  'overview',
  'members',
  'projects',
  'keys',
  'explore',
  'calls',
  'tasks',
  'statement',
  'fences',
  'provisioning',
  'settings',
] as const
export type TabName = (typeof allTabs)[number]

const needs: Partial<Record<TabName, OrganisationAction>> = {
  provisioning: 'manage_members',
  settings: 'manage_organisation',
}

/**
 * The parts of the page that a reader has: provisioning is for owners and admins, settings are for owners, channels for
 * administrators of the site, who have no statement, and the site's Explore and lists of tasks.
 */
export const tabsFor = ({ may }: Organisation, ofSite: boolean): readonly TabName[] =>
  allTabs.filter((name) => {
    if (name === 'explore' || name === 'tasks') return !ofSite
    if (name === 'fences' || name === 'statement') return ofSite === (name === 'fences')
    const action = needs[name]
    return action === undefined || may.includes(action)
  })

export const tabOf = (name: string | undefined, tabs: readonly TabName[]): TabName =>
  tabs.find((tab) => tab === name) ?? 'overview'
