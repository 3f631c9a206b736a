import { type OptionFacts, type SectionFacts, sections, tabs } from 'virtual:options'
import { ownMember } from '@tollgate/contract/own-member'
import type { BilingualText, Tab } from '../../lib/api/contract.ts'

// The options without the schemas that check them, which come with `saving/checks.ts` when the screen is there.

export type SettingsSection = SectionFacts
export type Key = string

const registry: Readonly<Record<Key, OptionFacts>> = Object.assign({}, ...sections.map(({ options }) => options))

export const optionOf = (key: Key): OptionFacts => {
  const option = ownMember(registry, key)
  if (!option) throw new Error(`No option ${key}`)
  return option
}

/** True if the screen draws the option for this role; secrets are drawn only for roles that may write them. */
export const isVisible = (key: Key, role: number): boolean => {
  const { hidden, secret, see, write } = optionOf(key)
  return !hidden && role >= (secret ? write : see)
}

/** The options of a section for this role, those without effect last. */
export const keysOf = (section: SettingsSection, role: number): readonly Key[] => {
  const visible = Object.keys(section.options).filter((key) => isVisible(key, role))
  return [...visible.filter((key) => !optionOf(key).inert), ...visible.filter((key) => optionOf(key).inert)]
}

export const allTabs: readonly { readonly tab: Tab; readonly title: BilingualText }[] = tabs
export const allSections: readonly SettingsSection[] = sections

export const sectionsOf = (tab: Tab, role: number): readonly SettingsSection[] =>
  allSections.filter((section) => section.tab === tab && keysOf(section, role).length > 0)

/** How many options of the tab this role does not get to see. */
export const keptBack = (tab: Tab, role: number): number =>
  allSections
    .filter((section) => section.tab === tab)
    .flatMap((section) => Object.keys(section.options))
    .filter((key) => !optionOf(key).hidden && !isVisible(key, role)).length

export const sectionOf = (key: Key): SettingsSection | undefined =>
  allSections.find((section) => Object.hasOwn(section.options, key))

/** Last part of the address of the first card, whose options belong to several sections. */
export const essentials = 'essentials'

/** Sections on the screen: one, all sections of a group, or the card of essentials. */
export interface ShownSections {
  /** Undefined for the essentials. */
  readonly tab: Tab | undefined
  /** Undefined for a group and for the essentials. */
  readonly section: SettingsSection | undefined
  /** The last part of its address. */
  readonly name: string
}

type Search = Readonly<Record<string, unknown>>

const placeOfSection = (section: SettingsSection): ShownSections => ({ tab: section.tab, section, name: section.name })
const placeOfTab = (tab: Tab): ShownSections => ({ tab, section: undefined, name: tab })

/** Sections that an address shows, also one that names a field, a group or a table of prices in its parameters. */
export const placeOf = (pathname: string, search: Search): ShownSections => {
  const name = pathname.split('/')[2]
  const section = allSections.find((each) => each.name === name)
  if (section) return placeOfSection(section)
  const tab = allTabs.find((each) => each.tab === name)
  if (tab) return placeOfTab(tab.tab)
  const ofField = typeof search.field === 'string' ? sectionOf(search.field) : undefined
  if (ofField) return placeOfSection(ofField)
  if (search.prices !== undefined) return placeOfTab('prices')
  const searched = allTabs.find((each) => each.tab === search.tab)
  return searched ? placeOfTab(searched.tab) : { tab: undefined, section: undefined, name: essentials }
}

export const sectionId = (section: SettingsSection): string => `settings-${Object.keys(section.options)[0] ?? ''}`
export const fieldId = (key: Key): string => `option-${key}`

/** The options that most sites set first, in the order of their card. Each belongs to a section of its own, too. */
const essentialOptions: readonly Key[] = [
  'SystemName',
  'ServerAddress',
  'RegisterEnabled',
  'QuotaForNewUser',
  'RetryTimes',
  'AutomaticDisableChannelEnabled',
  'LossWarningEnabled',
  'ChargedLogRetentionDays',
]

/** Those that a role sees. */
export const essentialKeys = (role: number): readonly Key[] => essentialOptions.filter((key) => isVisible(key, role))

/** Tabs whose texts the card of essentials needs. */
export const essentialTabs: readonly Tab[] = [...new Set(essentialOptions.flatMap((key) => sectionOf(key)?.tab ?? []))]
