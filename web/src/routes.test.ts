import { createMemoryHistory } from '@tanstack/react-router'
import { expect, it } from 'vitest'
import { pagePaths } from './lib/url/page-paths.ts'
import { createConsoleRouter } from './routes.tsx'
import * as pages from './shell/pages.ts'

it('has a route for every page in the server’s list, and for no other path', () => {
  const { routesByPath } = createConsoleRouter(createMemoryHistory())
  // `$` alone is the page for everything that is none.
  const paths = Object.keys(routesByPath).filter((path) => !/(^|\/)\$$/.test(path))
  expect(paths.toSorted()).toEqual(pagePaths(Object.values(pages)))
})

it('gives every page of the sidebar a letter of its own', () => {
  const letters = Object.values(pages).flatMap((page) => ('sidebar' in page ? [page.sidebar.shortcut] : []))
  expect(new Set(letters).size).toBe(letters.length)
})
