import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import '../styles/code-face/code-face.css'
import '../styles/mantine.ts'
import { ConfirmIdentity } from '../components/identity/confirm-identity.tsx'
import { ScreenParts } from '../components/parts/screen-parts.tsx'
import { RenewSession } from '../components/sign-in/renew/renew-session.tsx'
import { role } from '../lib/api/contract.ts'
import { useSession } from '../lib/api/session.ts'
import { takeCache } from '../lib/loading/first-reads.ts'
import { onDemand } from '../lib/loading/on-demand.tsx'
import { readAheadOf } from '../lib/loading/read-ahead.ts'
import { readAheadWith } from '../lib/loading/read-ahead-route.ts'
import { hasNotified } from '../lib/notify.tsx'
import { usePreferencesSync } from '../lib/preferences/preferences-sync.ts'
import { readText, writeText } from '../lib/preferences/storage.ts'
import { useStore } from '../lib/preferences/store.ts'
import { useScheme } from '../lib/preferences/theme-mode.ts'
import { withPasswordLabel } from '../theme.ts'
import classes from './console-shell.module.css'
import { DefaultPasswordWarning } from './default-password/warning.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header/header.tsx'
import { useShellMessages } from './messages.ts'
import { isNewYear } from './new-year/new-year.ts'
import { Notices } from './notices/notices.tsx'
import { SiteNotice } from './notices/site-notice.tsx'
import { PageTabs } from './page-tabs.tsx'
import { Shortcuts } from './palette/shortcuts.tsx'
import { Sidebar } from './sidebar.tsx'

const Fireworks = lazy(async () => ({ default: (await import('./new-year/fireworks.tsx')).Fireworks }))
const NeighboursNotice = onDemand(async () => (await import('./neighbours/neighbours-notice.tsx')).NeighboursNotice)
const Toasts = onDemand(async () => (await import('./toasts.tsx')).Toasts)

const Layout = () => {
  const say = useShellMessages()
  const user = useSession()
  const { pathname } = useLocation()
  const [narrow, setNarrow] = useState(readText('default_collapse_sidebar') === 'true')
  // The drawer belongs to the address it was opened on: any navigation closes it, also the browser's own buttons.
  const [menuPath, setMenuPath] = useState<string>()
  const menuOpen = menuPath === pathname
  const sidebar = user !== undefined && pathname !== '/'
  const isChat = /^\/chat\/[^/]+$/.test(pathname)
  const collapse = (): void => {
    writeText('default_collapse_sidebar', String(!narrow))
    setNarrow(!narrow)
  }
  return (
    <>
      <a className={classes.skip} href="#content">
        {say('skip')}
      </a>
      <Header onMenu={() => setMenuPath(menuOpen ? undefined : pathname)} menuOpen={menuOpen} />
      <Notices />
      <SiteNotice />
      {user !== undefined && user.role >= role.admin && <NeighboursNotice />}
      {user !== undefined && <ScreenParts place="shell notices" />}
      <div className={classes.body} data-sidebar={sidebar ? (narrow ? 'narrow' : 'wide') : 'none'}>
        <Sidebar
          user={user}
          docked={sidebar}
          narrow={narrow}
          onCollapse={collapse}
          open={menuOpen}
          onClose={() => setMenuPath(undefined)}
        />
        <div className={classes.page}>
          <main id="content" tabIndex={-1} className={classes.content}>
            <DefaultPasswordWarning />
            {user !== undefined && <PageTabs user={user} />}
            <Outlet />
            {/* Menus and dialogs are drawn here, within the landmark that they belong to. */}
            <div className={classes.floating} data-portal="true" data-mantine-shared-portal-node="true" />
          </main>
          {!isChat && <Footer />}
        </div>
      </div>
      <Shortcuts />
      <ConfirmIdentity />
      <RenewSession />
      {isNewYear(new Date()) && (
        <Suspense>
          <Fireworks />
        </Suspense>
      )}
    </>
  )
}

/** Everything around a screen: theme, cache, notifications, bars. Loaded after the login page. */
export const ConsoleShell = () => {
  const scheme = useScheme()
  const [client] = useState(takeCache)
  useEffect(() => readAheadWith(readAheadOf(client)), [client])
  const notified = useStore(hasNotified)
  usePreferencesSync()
  const say = useShellMessages()
  const themeNow = useMemo(() => withPasswordLabel(say('showPassword')), [say])
  return (
    <MantineProvider theme={themeNow} forceColorScheme={scheme} withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={client}>
        <Layout />
        {notified && <Toasts />}
      </QueryClientProvider>
    </MantineProvider>
  )
}
