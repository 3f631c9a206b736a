import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
  redirect,
} from '@tanstack/react-router'
import { storedUser } from './lib/api/session.ts'
import { verifySession } from './lib/api/verify-session.ts'
import { readsAhead } from './lib/loading/ahead.ts'
import { intentDelayMs, savesData } from './lib/loading/may-read-ahead.ts'
import { parseSearch, printSearch, type Search } from './lib/url/url-state.ts'
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

const notFoundPage = () => lazyRouteComponent(() => import('./shell/not-found.tsx'), 'NotFound')

const root = createRootRoute({
  component: Root,
  errorComponent: RouteProblem,
  // For addresses that match nothing at all, because they cannot be decoded.
  notFoundComponent: notFoundPage(),
  validateSearch: (search): Search => search as Search,
})

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  staticData: { title: 'login' },
  component: lazyRouteComponent(() => import('./features/login/screen.tsx'), 'LoginScreen'),
})

const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  staticData: { title: 'register' },
  component: lazyRouteComponent(() => import('./features/register/screen.tsx'), 'RegisterScreen'),
})

const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset',
  staticData: { title: 'reset' },
  component: lazyRouteComponent(() => import('./features/reset/request-screen.tsx'), 'ResetRequestScreen'),
})

const resetConfirm = createRoute({
  getParentRoute: () => root,
  path: '/user/reset',
  staticData: { title: 'resetConfirm' },
  component: lazyRouteComponent(() => import('./features/reset/confirm-screen.tsx'), 'ResetConfirmScreen'),
})

/** Where providers send people back to. */
const callback = { staticData: { title: 'oauth' } as const, getParentRoute: () => root }
const callbackScreen = () =>
  lazyRouteComponent(() => import('./features/oauth-callback/screen.tsx'), 'OauthCallbackScreen')
const callbacks = [
  createRoute({ ...callback, path: '/oauth/github', component: callbackScreen() }),
  createRoute({ ...callback, path: '/oauth/linuxdo', component: callbackScreen() }),
  createRoute({ ...callback, path: '/oauth/oidc', component: callbackScreen() }),
  createRoute({ ...callback, path: '/oauth/telegram', component: callbackScreen() }),
] as const

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
  component: lazyRouteComponent(() => import('./shell/admin-only.tsx'), 'AdminOnly'),
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

const pricing = createRoute({
  getParentRoute: () => shell,
  path: '/pricing',
  staticData: { title: 'pricing' },
  component: lazyRouteComponent(() => import('./features/pricing/screen.tsx'), 'PricingScreen'),
})

const tokensScreen = () => import('./features/tokens/screen.tsx')
const tokens = createRoute({
  getParentRoute: () => signedIn,
  path: '/token',
  staticData: { title: 'tokens' },
  component: lazyRouteComponent(tokensScreen, 'TokensScreen'),
  beforeLoad: readsAhead(tokensScreen),
})

const logsScreen = () => import('./features/logs/screen.tsx')
const logs = createRoute({
  getParentRoute: () => signedIn,
  path: '/log',
  staticData: { title: 'logs' },
  component: lazyRouteComponent(logsScreen, 'LogsScreen'),
  beforeLoad: readsAhead(logsScreen),
})

const dashboardScreen = () => import('./features/dashboard/screen.tsx')
const dashboard = createRoute({
  getParentRoute: () => signedIn,
  path: '/detail',
  staticData: { title: 'dashboard' },
  component: lazyRouteComponent(dashboardScreen, 'DashboardScreen'),
  beforeLoad: readsAhead(dashboardScreen),
})

const drawingsScreen = () => import('./features/drawings/screen.tsx')
const drawings = createRoute({
  getParentRoute: () => signedIn,
  path: '/midjourney',
  staticData: { title: 'drawings' },
  component: lazyRouteComponent(drawingsScreen, 'DrawingsScreen'),
  beforeLoad: readsAhead(drawingsScreen),
})

const tasksScreen = () => import('./features/tasks/screen.tsx')
const tasks = createRoute({
  getParentRoute: () => signedIn,
  path: '/task',
  staticData: { title: 'tasks' },
  component: lazyRouteComponent(tasksScreen, 'TasksScreen'),
  beforeLoad: readsAhead(tasksScreen),
})

const channelsScreen = () => import('./features/channels/screen.tsx')
const channels = createRoute({
  getParentRoute: () => admin,
  path: '/channel',
  staticData: { title: 'channels' },
  component: lazyRouteComponent(channelsScreen, 'ChannelsScreen'),
  beforeLoad: readsAhead(channelsScreen),
})

const usersScreen = () => import('./features/users/screen.tsx')
const users = createRoute({
  getParentRoute: () => admin,
  path: '/user',
  staticData: { title: 'users' },
  component: lazyRouteComponent(usersScreen, 'UsersScreen'),
  beforeLoad: readsAhead(usersScreen),
})

const auditScreen = () => import('./features/audit/screen.tsx')
const audit = createRoute({
  getParentRoute: () => admin,
  path: '/audit',
  staticData: { title: 'audit' },
  component: lazyRouteComponent(auditScreen, 'AuditScreen'),
  beforeLoad: readsAhead(auditScreen),
})

const settings = createRoute({
  getParentRoute: () => admin,
  path: '/setting',
  staticData: { title: 'settings' },
  component: lazyRouteComponent(() => import('./features/settings/screen.tsx'), 'SettingsScreen'),
})

const userScreen = () => import('./features/users/user-page/screen.tsx')
const user = createRoute({
  getParentRoute: () => admin,
  path: '/user/$id',
  staticData: { title: 'user' },
  component: lazyRouteComponent(userScreen, 'UserScreen'),
  beforeLoad: readsAhead(userScreen),
})

const redemptionsScreen = () => import('./features/redemptions/screen.tsx')
const redemptions = createRoute({
  getParentRoute: () => admin,
  path: '/redemption',
  staticData: { title: 'redemptions' },
  component: lazyRouteComponent(redemptionsScreen, 'RedemptionsScreen'),
  beforeLoad: readsAhead(redemptionsScreen),
})

const walletScreen = () => import('./features/wallet/screen.tsx')
const wallet = createRoute({
  getParentRoute: () => signedIn,
  path: '/topup',
  staticData: { title: 'wallet' },
  component: lazyRouteComponent(walletScreen, 'WalletScreen'),
  beforeLoad: readsAhead(walletScreen),
})

/** The sheets of a list are its sub-addresses: the list stays where it is and draws them itself. */
const channelSheets = [
  createRoute({ getParentRoute: () => channels, path: '/add' }),
  createRoute({ getParentRoute: () => channels, path: '/edit/$id' }),
] as const
const userSheets = [
  createRoute({ getParentRoute: () => users, path: '/add' }),
  createRoute({ getParentRoute: () => users, path: '/edit' }),
  createRoute({ getParentRoute: () => users, path: '/edit/$id' }),
] as const

const personal = createRoute({
  getParentRoute: () => signedIn,
  path: '/personal',
  staticData: { title: 'personal' },
  component: lazyRouteComponent(() => import('./features/personal/screen.tsx'), 'PersonalScreen'),
})

const playground = createRoute({
  getParentRoute: () => signedIn,
  path: '/playground',
  staticData: { title: 'playground' },
  component: lazyRouteComponent(() => import('./features/playground/screen.tsx'), 'PlaygroundScreen'),
})

const chat = createRoute({
  getParentRoute: () => shell,
  path: '/chat',
  staticData: { title: 'chat' },
  component: lazyRouteComponent(() => import('./features/chat/screen.tsx'), 'ChatScreen'),
})

const chatPage = createRoute({
  getParentRoute: () => shell,
  path: '/chat/$id',
  staticData: { title: 'chat' },
  component: lazyRouteComponent(() => import('./features/chat/screen.tsx'), 'ChatScreen'),
})

const chatRedirect = createRoute({
  getParentRoute: () => signedIn,
  path: '/chat2link',
  staticData: { title: 'chat' },
  component: lazyRouteComponent(() => import('./features/chat/redirect.tsx'), 'ChatRedirect'),
})

const notFound = createRoute({
  getParentRoute: () => shell,
  path: '$',
  staticData: { title: 'notFound' },
  component: notFoundPage(),
})

const routeTree = root.addChildren([
  login,
  register,
  reset,
  resetConfirm,
  ...callbacks,
  shell.addChildren([
    home,
    about,
    pricing,
    chat,
    chatPage,
    signedIn.addChildren([
      chatRedirect,
      playground,
      personal,
      tokens,
      logs,
      dashboard,
      drawings,
      tasks,
      wallet,
      admin.addChildren([
        redemptions,
        channels.addChildren(channelSheets),
        settings,
        users.addChildren(userSheets),
        user,
        audit,
      ]),
    ]),
    notFound,
  ]),
])

/** The console's addresses. A screen of administrators hangs under `admin`, any other one under `signedIn`. */
export const createConsoleRouter = (history?: RouterHistory) =>
  createRouter({
    routeTree,
    parseSearch,
    stringifySearch: printSearch,
    defaultPreload: savesData() ? false : 'intent',
    defaultPreloadDelay: intentDelayMs,
    defaultPendingMs: 300,
    defaultErrorComponent: RouteProblem,
    scrollRestoration: true,
    ...(history ? { history } : {}),
  })
