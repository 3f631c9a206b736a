import type { ComponentType } from 'react'
import type { Organisation, OrganisationAction, OrganisationRole } from '../../lib/api/contract.ts'
import type { Pair } from '../../lib/i18n.ts'

/** Roles and places of an organisation in the words of its page. Team 0 is the whole organisation. */
export interface RoleWords {
  name(role: OrganisationRole): string
  placeName(teamId: number): string
  /** A role with its place. */
  inPlace(teamId: number, role: OrganisationRole): string
  /** The roles that the reader may give in a place, with what each may do. */
  choices(teamId: number): { value: OrganisationRole; label: string }[]
}

export interface OrganisationTabProps {
  readonly organisation: Organisation
  readonly roles: RoleWords
}

/** A tab on the page of an organisation: `web/organisation-tabs.ts` of a module lists its own. */
export interface OrganisationTab {
  /** `?tab=` in the address. */
  readonly name: string
  readonly title: Pair
  /** The tab of the page that it follows; without one it stands before the settings. */
  readonly behind?: string
  /** Among the tabs of modules in the same place, the lowest first. */
  readonly position: number
  /** Readers who may not do this do not see it; absent for all readers. */
  readonly needs?: OrganisationAction
  /** False for a tab that administrators of the site do not see, because they have a page for it. */
  readonly ofSite?: false
  load(): Promise<ComponentType<OrganisationTabProps>>
}

/** The tabs that a reader who may do this sees, in their order; `ofSite` is true for administrators of the site. */
export const organisationTabsFor = (
  tabs: readonly OrganisationTab[],
  may: readonly OrganisationAction[],
  ofSite: boolean,
): readonly OrganisationTab[] =>
  tabs
    .filter((tab) => tab.needs === undefined || may.includes(tab.needs))
    .filter((tab) => !ofSite || tab.ofSite !== false)
    .toSorted((one, other) => one.position - other.position)
