import { expect, it } from 'vitest'
import { type OrganisationTab, organisationTabsFor } from './organisation-tab.ts'

const tab = (name: string, position: number, needs: OrganisationTab['needs']): OrganisationTab => ({
  name,
  position,
  needs,
  title: { zh: name, en: name },
  load: () => Promise.reject(new Error('not drawn here')),
})

it('shows tabs in their order to those who may do what each needs', () => {
  const tabs = [tab('second', 2, 'manage_members'), tab('owners', 3, 'manage_organisation'), tab('first', 1, 'use')]
  const names = (...may: OrganisationTab['needs'][]): string[] => organisationTabsFor(tabs, may).map(({ name }) => name)
  expect([names('use', 'manage_members'), names('manage_organisation'), names()]).toEqual([
    ['first', 'second'],
    ['owners'],
    [],
  ])
})
