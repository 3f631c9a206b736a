import { organisationTaskKinds } from '../../../components/parts/organisation-parts.tsx'
import { type OrganisationTab, organisationTabsFor } from '../../../components/parts/organisation-tab.ts'
import type { Organisation, OrganisationAction } from '../../../lib/api/contract.ts'

const allTabs = [
  'overview',
  'members',
  'projects',
  'keys',
  'calls',
  'tasks',
  'statement',
  'fences',
  'providers',
  'settings',
] as const
/** A tab of this folder; modules add others. */
export type OwnTab = (typeof allTabs)[number]

const needs: Partial<Record<OwnTab, OrganisationAction>> = { settings: 'manage_organisation' }

const notOfSite: ReadonlySet<OwnTab> = new Set(['statement', 'keys', 'calls', 'tasks'])

/**
 * The parts of the page that a reader has: settings and identity providers are for owners, those of modules for who may do what
 * each needs, channels for administrators of the site, who have no statement: they read keys on the wallet's page, calls in the
 * log and tasks in their lists.
 */
export const tabsFor = (
  { may, own_providers }: Organisation,
  ofSite: boolean,
  ofModules: readonly OrganisationTab[],
): readonly string[] => {
  const own = allTabs.filter((name) => {
    if (name === 'fences') return ofSite
    if (name === 'tasks' && organisationTaskKinds.length === 0) return false
    if (notOfSite.has(name)) return !ofSite
    if (name === 'providers') return own_providers
    const action = needs[name]
    return action === undefined || may.includes(action)
  })
  const added = organisationTabsFor(ofModules, may, ofSite)
  const addedBehind = (place: string | undefined): readonly string[] =>
    added.filter(({ behind }) => behind === place).map(({ name }) => name)
  return [
    ...own.filter((name) => name !== 'settings').flatMap((name) => [name, ...addedBehind(name)]),
    ...addedBehind(undefined),
    ...own.filter((name) => name === 'settings'),
  ]
}

/** True for a tab of this folder. */
export const isOwnTab = (name: string): name is OwnTab => allTabs.some((tab) => tab === name)

/** How many things a tab lists, as far as the answer about the organisation says it. */
export const countIn = (
  { may, members, projects }: Organisation,
  name: string,
  ownId: number | undefined,
): number | undefined => {
  if (name === 'members') return members.length
  if (name === 'projects') return projects.length
  if (name !== 'keys') return undefined
  if (may.includes('manage_keys')) return projects.reduce((sum, { keys }) => sum + keys, 0)
  const own = members.find(({ user_id }) => user_id === ownId)
  // Unknown for an admin of a team, who also reads the keys of its projects.
  return own?.teams.some((team) => team.role === 'admin') ? undefined : own?.keys
}

export const tabOf = (name: string | undefined, tabs: readonly string[]): string =>
  tabs.find((tab) => tab === name) ?? 'overview'
