import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
  redirect,
} from '@tanstack/react-router'
import type { ConsolePage } from './components/page.ts'
import { storedUser } from './lib/api/session.ts'
import { verifySession } from './lib/api/verify-session.ts'
import { loadPart } from './lib/loading/load-part.ts'
import { intentDelayMs, savesData } from './lib/loading/may-read-ahead.ts'
import { readsAhead } from './lib/loading/read-ahead-route.ts'
import { basePath } from './lib/url/page-paths.ts'
import { parseSearch, printSearch, type Search } from './lib/url/url-state.ts'
import * as pages from './shell/pages.ts'
import { Root } from './shell/root.tsx'
import { RouteProblem } from './shell/route-problem.tsx'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Names the page in the browser's title. */
    title?: ConsolePage['title']
    /** The area of administrators that the page belongs to. */
    area?: ConsolePage['area']
    /** Screens that lead to the page. */
    leadsFrom?: ConsolePage['leadsFrom']
    /** It opens after signing in. */
    isStart?: ConsolePage['isStart']
  }
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}

const notFoundPage = () => lazyRouteComponent(() => import('./shell/not-found.tsx'), 'NotFound')

const root = createRootRoute({
  component: Root,
  errorComponent: RouteProblem,
  // For addresses that match nothing at all, because they cannot be decoded.
  notFoundComponent: notFoundPage(),
  validateSearch: (search): Search => search as Search,
})

/** Everything around screens comes in one file. */
const loadShell = () => import('./shell/frame.ts')

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: lazyRouteComponent(loadShell, 'ConsoleShell'),
  errorComponent: RouteProblem,
})

/** Sends visitors to the login page and remembers where they wanted to go. */
const signedIn = createRoute({
  getParentRoute: () => shell,
  id: 'signed-in',
  beforeLoad: async ({ location }) => {
    if (!storedUser()) await verifySession()
    if (!storedUser()) throw redirect({ to: '/login', search: { next: location.href } })
  },
})

/** Screens of administrators; others see that they have no access. */
const admin = createRoute({
  getParentRoute: () => signedIn,
  id: 'admin',
  component: lazyRouteComponent(loadShell, 'AdminOnly'),
})

/** Screens of root. */
const rootOnly = createRoute({
  getParentRoute: () => signedIn,
  id: 'root-only',
  component: lazyRouteComponent(loadShell, 'RootOnly'),
})

const pageRoute = <Parent extends AnyRoute, P extends ConsolePage>(parent: Parent, page: P) =>
  createRoute({
    getParentRoute: () => parent,
    path: page.path as P['path'],
    staticData: {
      title: page.title,
      ...(page.area ? { area: page.area } : {}),
      ...(page.leadsFrom ? { leadsFrom: page.leadsFrom } : {}),
      ...(page.isStart ? { isStart: page.isStart } : {}),
    },
    component: lazyRouteComponent(() => loadPart(() => page.load()), 'Screen'),
    beforeLoad: readsAhead(() => page.load()),
  })

const sheetRoute = <Parent extends AnyRoute, Path extends string>(parent: Parent, path: Path) =>
  createRoute({ getParentRoute: () => parent, path })

type SheetRoutes<Parent extends AnyRoute, Path extends string> = {
  [Each in Path]: ReturnType<typeof sheetRoute<Parent, Each>>
}

/** With the addresses of its sheets below it. */
const listRoute = <Parent extends AnyRoute, P extends PageWithSheets>(parent: Parent, page: P) => {
  const route = pageRoute(parent, page)
  const sheets = page.sheets.map((path) => [path, sheetRoute(route, path)])
  return route.addChildren(Object.fromEntries(sheets) as SheetRoutes<typeof route, P['sheets'][number]>)
}

type PageWithSheets = ConsolePage & Required<Pick<ConsolePage, 'sheets'>>
type Pages = typeof pages
type RouteOf<Parent extends AnyRoute, P extends ConsolePage> = P extends PageWithSheets
  ? ReturnType<typeof listRoute<Parent, P>>
  : ReturnType<typeof pageRoute<Parent, P>>
type PageRoutes<Parent extends AnyRoute, Access extends ConsolePage['access']> = {
  [Name in keyof Pages as Pages[Name]['access'] extends Access ? Name : never]: RouteOf<Parent, Pages[Name]>
}

const hasSheets = (page: ConsolePage): page is PageWithSheets => page.sheets !== undefined

/** The routes of all pages with this access, by the names of `shell/pages.ts`. */
const routesOf = <Parent extends AnyRoute, Access extends ConsolePage['access']>(
  parent: Parent,
  access: Access,
): PageRoutes<Parent, Access> => {
  const all: [string, ConsolePage][] = Object.entries(pages)
  const routes = all
    .filter(([, page]) => page.access === access)
    .map(([name, page]) => [name, hasSheets(page) ? listRoute(parent, page) : pageRoute(parent, page)])
  return Object.fromEntries(routes) as PageRoutes<Parent, Access>
}

const notFound = createRoute({
  getParentRoute: () => shell,
  path: '$',
  staticData: { title: { zh: '页面不存在', en: 'Page not found' } },
  component: notFoundPage(),
})

const routeTree = root.addChildren({
  ...routesOf(root, 'bare'),
  shell: shell.addChildren({
    ...routesOf(shell, 'everyone'),
    signedIn: signedIn.addChildren({
      ...routesOf(signedIn, 'signed_in'),
      admin: admin.addChildren(routesOf(admin, 'admin')),
      rootOnly: rootOnly.addChildren(routesOf(rootOnly, 'root')),
    }),
    notFound,
  }),
})

/** The console's routes; its pages are in `shell/pages.ts`. */
export const createConsoleRouter = (history?: RouterHistory, base = basePath()) =>
  createRouter({
    routeTree,
    parseSearch,
    stringifySearch: printSearch,
    defaultPreload: savesData() ? false : 'intent',
    defaultPreloadDelay: intentDelayMs,
    defaultPendingMs: 300,
    defaultErrorComponent: RouteProblem,
    scrollRestoration: true,
    ...(base === '' ? {} : { basepath: base }),
    ...(history ? { history } : {}),
  })
