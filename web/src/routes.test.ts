import { createMemoryHistory } from '@tanstack/react-router'
import { consolePages, isConsolePage } from '@tollgate/contract'
import { expect, it } from 'vitest'
import { createConsoleRouter } from './routes.tsx'

it('has the pages that the server knows, and no others', () => {
  const { routesByPath } = createConsoleRouter(createMemoryHistory())
  // `$` alone is the page for everything that is none.
  const paths = Object.keys(routesByPath).filter((path) => !/(^|\/)\$$/.test(path))
  expect(paths.toSorted()).toEqual(consolePages.toSorted())
  for (const path of paths) expect(isConsolePage(path.replace('$id', '7'))).toBe(true)
})
