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
  /** Among the tabs of modules, the lowest first; the settings stand behind them. */
  readonly position: number
  /** Readers who may not do this do not see it. */
  readonly needs: OrganisationAction
  load(): Promise<ComponentType<OrganisationTabProps>>
}

/** The tabs that a reader who may do this sees, in their order. */
export const organisationTabsFor = (
  tabs: readonly OrganisationTab[],
  may: readonly OrganisationAction[],
): readonly OrganisationTab[] =>
  tabs.filter(({ needs }) => may.includes(needs)).toSorted((one, other) => one.position - other.position)
