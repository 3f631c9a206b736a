import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
  redirect,
} from '@tanstack/react-router'
import { role } from './lib/contract.ts'
import { storedUser } from './lib/session.ts'
import { parseSearch, printSearch, type Search } from './lib/url-state.ts'
import { verifySession } from './lib/verify-session.ts'
import type { PageWord } from './shell/page-words.ts'
import { Root } from './shell/root.tsx'
import { RouteProblem } from './shell/route-problem.tsx'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Names the page in the browser's title. */
    title?: PageWord
  }
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}

const root = createRootRoute({
  component: Root,
  errorComponent: RouteProblem,
  validateSearch: (search): Search => search as Search,
})

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  staticData: { title: 'login' },
  component: lazyRouteComponent(() => import('./features/login/screen.tsx'), 'LoginScreen'),
})

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: lazyRouteComponent(() => import('./shell/console-shell.tsx'), 'ConsoleShell'),
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
  beforeLoad: () => {
    if ((storedUser()?.role ?? 0) < role.admin) throw new Error('no-access')
  },
  errorComponent: RouteProblem,
})

const home = createRoute({
  getParentRoute: () => shell,
  path: '/',
  staticData: { title: 'home' },
  component: lazyRouteComponent(() => import('./features/home/screen.tsx'), 'HomeScreen'),
})

const about = createRoute({
  getParentRoute: () => shell,
  path: '/about',
  staticData: { title: 'about' },
  component: lazyRouteComponent(() => import('./features/about/screen.tsx'), 'AboutScreen'),
})

const notFound = createRoute({
  getParentRoute: () => shell,
  path: '$',
  staticData: { title: 'notFound' },
  component: lazyRouteComponent(() => import('./shell/not-found.tsx'), 'NotFound'),
})

const routeTree = root.addChildren([login, shell.addChildren([home, about, signedIn.addChildren([admin]), notFound])])

/** The console's addresses. A screen of administrators hangs under `admin`, any other one under `signedIn`. */
export const createConsoleRouter = (history?: RouterHistory) =>
  createRouter({
    routeTree,
    parseSearch,
    stringifySearch: printSearch,
    defaultPreload: 'intent',
    defaultPendingMs: 300,
    defaultErrorComponent: RouteProblem,
    scrollRestoration: true,
    ...(history ? { history } : {}),
  })
