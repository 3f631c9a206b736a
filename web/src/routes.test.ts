import { createMemoryHistory } from '@tanstack/react-router'
import { expect, it } from 'vitest'
import * as modulePages from '../../modules/lists/pages.ts'
import type { SessionUser } from './lib/api/session.ts'
import type { SiteStatus } from './lib/status.ts'
import { pagePaths } from './lib/url/page-paths.ts'
import { createConsoleRouter } from './routes.tsx'
import { visibleGroups } from './shell/navigation.ts'
import * as pages from './shell/pages.ts'

it('has a route for every page in the server’s list, and for no other path', () => {
  const { routesByPath } = createConsoleRouter(createMemoryHistory())
  // `$` alone is the page for everything that is none.
  const paths = Object.keys(routesByPath).filter((path) => !/^\/?\$$/.test(path))
  expect(paths.toSorted()).toEqual(pagePaths(Object.values(pages)))
})

const sidebars = Object.values(pages).flatMap((page) => ('sidebar' in page ? [page.sidebar] : []))

it('gives every page of the sidebar a letter, a place and an icon of its own', () => {
  const letters = sidebars.map(({ shortcut }) => shortcut)
  expect(new Set(letters).size).toBe(letters.length)
  const icons = sidebars.map(({ icon }) => icon)
  expect(icons.filter((icon, index) => icons.indexOf(icon) !== index)).toEqual([])
  const places = sidebars.map(({ group, position }) => `${group} ${position}`)
  expect(new Set(places).size).toBe(places.length)
})

it('keeps the order of the pages of the kernel in the sidebar', () => {
  const root = { role: 100 } as SessionUser
  const status = { enable_data_export: true, enable_drawing: true, enable_task: true } as SiteStatus
  const { routesByPath } = createConsoleRouter(createMemoryHistory())
  const ofModules = new Set(Object.values<{ readonly path: string }>(modulePages).map(({ path }) => path))
  const groups = visibleGroups(routesByPath, status, root)
  const paths = groups.map(({ places }) => places.map(({ path }) => path).filter((path) => !ofModules.has(path)))
  expect(paths).toEqual([
    ['/playground'],
    ['/detail', '/explore', '/token', '/log', '/sessions', '/midjourney', '/task', '/agents', '/limit'],
    ['/live', '/channel', '/payment', '/user', '/audit', '/setting'],
    ['/topup', '/personal'],
  ])
})
