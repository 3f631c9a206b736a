import { expect, it } from 'vitest'
import type { OrganisationAction } from '../../lib/api/contract.ts'
import { type OrganisationTab, organisationTabsFor } from './organisation-tab.ts'

const tab = (name: string, position: number, needs: OrganisationAction): OrganisationTab => ({
  name,
  position,
  needs,
  title: { zh: name, en: name },
  load: () => Promise.reject(new Error('not drawn here')),
})

it('shows tabs in their order to those who may do what each needs', () => {
  const tabs = [tab('second', 2, 'manage_members'), tab('owners', 3, 'manage_organisation'), tab('first', 1, 'use')]
  const names = (...may: OrganisationAction[]): string[] =>
    organisationTabsFor(tabs, may, false).map(({ name }) => name)
  expect([names('use', 'manage_members'), names('manage_organisation'), names()]).toEqual([
    ['first', 'second'],
    ['owners'],
    [],
  ])
})

it('shows tabs that need nothing to all readers, and some to no administrator of the site', () => {
  const tabs = [{ ...tab('figures', 1, 'use'), needs: undefined, ofSite: false } as OrganisationTab]
  expect([organisationTabsFor(tabs, [], false).length, organisationTabsFor(tabs, [], true).length]).toEqual([1, 0])
})
