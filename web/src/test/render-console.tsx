import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  type AnyRoute,
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
  type StaticDataRouteOption,
} from '@tanstack/react-router'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createQueryClient } from '../lib/query.ts'
import { parseSearch, printSearch } from '../lib/url/url-state.ts'
import { theme } from '../theme.ts'
import './forget-notifications.ts'

/**
 * Draws a screen as the console does: theme without transitions, cache, notifications and a router of its own at `path`.
 * `client` is a cache that knows something already; `route` is the screen's own address where it reads parameters from it.
 * Answers with what testing-library's `render` gives, and the router.
 */
export const renderConsole = (screen: ReactNode, path = '/', client = createQueryClient(), route?: `/${string}`) => {
  const plain = createRootRoute({ component: () => screen, notFoundComponent: () => screen })
  const named = createRootRoute()
  const root =
    route === undefined
      ? plain
      : named.addChildren([createRoute({ getParentRoute: () => named, path: route, component: () => screen })])
  return draw(root, path, client)
}

/** Draws a screen at `path`, which may have a query, among the routes of other pages, which it may lead to. */
export const renderAmongPages = (
  screen: ReactNode,
  path: `/${string}`,
  pages: readonly { readonly path: `/${string}`; readonly staticData: StaticDataRouteOption }[],
) => {
  const root = createRootRoute()
  const others = pages.map((page) => createRoute({ getParentRoute: () => root, ...page }))
  const own = createRoute({ getParentRoute: () => root, path: path.replace(/\?.*/s, ''), component: () => screen })
  return draw(root.addChildren([own, ...others]), path, createQueryClient())
}

const draw = async (root: AnyRoute, path: string, client: QueryClient) => {
  const router = createRouter({
    routeTree: root,
    history: createMemoryHistory({ initialEntries: [path] }),
    parseSearch,
    stringifySearch: printSearch,
  })
  await router.load()
  const view = render(
    <MantineProvider theme={theme} env="test" forceColorScheme="light" withCssVariables={false}>
      <QueryClientProvider client={client}>
        <RouterProvider router={router as never} />
        <Notifications />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return { ...view, router }
}
