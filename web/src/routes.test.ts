import { createMemoryHistory } from '@tanstack/react-router'
import { status as publishedStatus } from '@tollgate/contract/status'
import { expect, it } from 'vitest'
import * as modulePages from '../../modules/lists/pages.ts'
import type { ConsolePage } from './components/page.ts'
import type { SessionUser } from './lib/api/session.ts'
import type { SiteStatus } from './lib/status.ts'
import { pagePaths } from './lib/url/page-paths.ts'
import { createConsoleRouter } from './routes.tsx'
import { openPages, tabsAt, visibleGroups } from './shell/navigation.ts'
import * as pages from './shell/pages.ts'

it('has a route for every page in the server’s list, and for no other path', () => {
  const { routesByPath } = createConsoleRouter(createMemoryHistory())
  // `$` alone is the page for everything that is none.
  const paths = Object.keys(routesByPath).filter((path) => !/^\/?\$$/.test(path))
  expect(paths.toSorted()).toEqual(pagePaths(Object.values(pages)))
})

const sidebars = Object.values<ConsolePage>(pages).flatMap(({ sidebar }) => sidebar ?? [])

it('shows pages by flags that the status publishes alone', () => {
  const published = Object.keys(publishedStatus.shape)
  const flags = sidebars.flatMap(({ flag }) => (flag === undefined || flag === 'organisations' ? [] : [flag]))
  expect(flags.length).toBeGreaterThan(0)
  expect(flags.filter((flag) => !published.includes(flag))).toEqual([])
})

it('gives every page of the sidebar a place and an icon of its own, and a letter to itself where it has one', () => {
  const letters = sidebars.flatMap(({ shortcut }) => shortcut ?? [])
  expect(new Set(letters).size).toBe(letters.length)
  const icons = sidebars.map(({ icon }) => icon)
  expect(icons.filter((icon, index) => icons.indexOf(icon) !== index)).toEqual([])
  const places = sidebars.map(({ group, position, tabOf = '' }) => `${group}${tabOf} ${position}`)
  expect(new Set(places).size).toBe(places.length)
})

it('has families whose first page is an entry of the same group with a name for all', () => {
  for (const { tabOf, group } of sidebars.filter((place) => place.tabOf !== undefined)) {
    const head = Object.values<ConsolePage>(pages).find(({ path }) => path === tabOf)
    expect(head?.sidebar).toMatchObject({ group, name: expect.anything() })
    expect(head?.sidebar?.tabOf).toBeUndefined()
  }
})

const status = { enable_data_export: true } as SiteStatus
const { routesByPath } = createConsoleRouter(createMemoryHistory())
const ofModules = new Set(Object.values<{ readonly path: string }>(modulePages).map(({ path }) => path))
/** The entries of the sidebar by group, each with the paths of its tabs, without pages of modules. */
const sidebarOf = (user: Partial<SessionUser>) =>
  visibleGroups(routesByPath, status, user as SessionUser).map(({ word, places }) => [
    word,
    places
      .map(({ tabs }) => tabs.map(({ path }) => path).filter((path) => !ofModules.has(path)))
      .filter((paths) => paths.length > 0),
  ])

it('shows the operator five groups of entries', () => {
  expect(sidebarOf({ role: 100 })).toEqual([
    ['groupOverview', [['/detail']]],
    ['groupUse', [['/pricing'], ['/playground'], ['/token']]],
    ['groupActivity', [['/log']]],
    ['groupMoney', [['/topup', '/payment'], ['/limit']]],
    ['groupSite', [['/channel'], ['/user', '/organisation'], ['/audit'], ['/setting', '/identity-provider']]],
  ])
})

it('shows users two groups, and organisations to those who belong to one', () => {
  const own = [['/detail'], ['/log'], ['/topup'], ['/limit']]
  const use = [['/pricing'], ['/playground'], ['/token']]
  expect(sidebarOf({ role: 1 })).toEqual([
    ['groupOverview', own],
    ['groupUse', use],
  ])
  expect(sidebarOf({ role: 1, organisations: 'belongs' })).toEqual([
    ['groupOverview', [...own, ['/organisation']]],
    ['groupUse', use],
  ])
})

it('shows the tabs of a family on its pages and their sheets, and not on the page of one thing', () => {
  const groups = visibleGroups(routesByPath, status, { role: 100 } as SessionUser)
  const at = (path: string) => tabsAt(groups, path).map((tab) => tab.path)
  for (const path of ['/user', '/user/edit', '/user/edit/5', '/organisation'])
    expect(at(path)).toEqual(['/user', '/organisation'])
  for (const path of ['/user/5', '/organisation/5', '/channel', '/token', '/']) expect(at(path)).toEqual([])
})

it('lists every page that a person may open once, for the palette', () => {
  const pathsOf = (user: SessionUser | undefined) => openPages(routesByPath, status, user).map(({ path }) => path)
  const all = pathsOf({ role: 100 } as SessionUser)
  expect(new Set(all).size).toBe(all.length)
  for (const path of ['/pricing', '/identity-provider', '/personal', '/organisation', '/unknown-usage', '/about'])
    expect(all).toContain(path)
  const own = pathsOf({ role: 1 } as SessionUser)
  for (const path of ['/identity-provider', '/user', '/unknown-usage', '/organisation']) expect(own).not.toContain(path)
  expect(pathsOf(undefined)).toEqual(['/'])
})
