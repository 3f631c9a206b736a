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
  'providers',
  'provisioning',
  'settings',
] as const
export type OrganisationTab = (typeof allTabs)[number]

const needs: Partial<Record<OrganisationTab, OrganisationAction>> = {
  provisioning: 'manage_members',
  settings: 'manage_organisation',
}

const notOfSite: ReadonlySet<OrganisationTab> = new Set(['statement', 'keys', 'calls', 'explore', 'tasks'])

/**
 * The parts of the page that a reader has: provisioning is for owners and admins, settings and identity providers are for
 * owners, channels for administrators of the site, who have no statement: they read keys on the wallet's page, calls in the
 * log, figures in Explore and tasks in their lists.
 */
export const tabsFor = ({ may, own_providers }: Organisation, ofSite: boolean): readonly OrganisationTab[] =>
  allTabs.filter((name) => {
    if (name === 'fences') return ofSite
    if (notOfSite.has(name)) return !ofSite
    if (name === 'providers') return own_providers
    const action = needs[name]
    return action === undefined || may.includes(action)
  })

/** How many things a tab lists, as far as the answer about the organisation says it. */
export const countIn = (
  { may, members, projects }: Organisation,
  name: OrganisationTab,
  ownId: number | undefined,
): number | undefined => {
  if (name === 'members') return members.length
  if (name === 'projects') return projects.length
  if (name !== 'keys') return undefined
  if (may.includes('manage_keys')) return projects.reduce((sum, { keys }) => sum + keys, 0)
  const own = members.find(({ user_id }) => user_id === ownId)
  // Who leads a team reads the keys of its projects beside their own.
  return own?.teams.some((team) => team.role === 'admin') ? undefined : own?.keys
}

export const tabOf = (name: string | undefined, tabs: readonly OrganisationTab[]): OrganisationTab =>
  tabs.find((tab) => tab === name) ?? 'overview'
