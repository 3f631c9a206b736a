import { useQueries } from '@tanstack/react-query'
import { Link, useLocation, useRouter } from '@tanstack/react-router'
import { TabBar } from '../components/tab-bar.tsx'
import type { SessionUser } from '../lib/api/session.ts'
import { useStatus } from '../lib/status.ts'
import { useShellMessages } from './messages.ts'
import { isPlaceOf, type NavigationEntry, tabsAt, visibleGroups } from './navigation.ts'
import { usePageTitle } from './use-page-title.ts'

const rowsStayMs = 5 * 60_000

/** Without the tabs whose lists are empty, but for the one that is open. */
const useWithRows = (tabs: readonly NavigationEntry[], isCurrent: (path: string) => boolean) => {
  const asked = tabs.filter(({ hasRows, path }) => hasRows !== undefined && !isCurrent(path))
  const answers = useQueries({
    queries: asked.map(({ path, hasRows }) => ({
      queryKey: ['tab with rows', path],
      queryFn: async () => (await hasRows?.()) === true,
      staleTime: rowsStayMs,
    })),
  })
  const left = new Set(asked.filter((_, at) => answers[at]?.data !== true))
  return tabs.filter((tab) => !left.has(tab))
}

/** Links to the pages that share an entry of the sidebar with this one; nothing where it has an entry of its own. */
export const PageTabs = ({ user }: { user: SessionUser }) => {
  const say = useShellMessages()
  const titleOf = usePageTitle()
  const status = useStatus()
  const { pathname } = useLocation()
  const isCurrent = (path: string): boolean => isPlaceOf(path, pathname)
  const tabs = useWithRows(tabsAt(visibleGroups(useRouter().routesByPath, status, user), pathname), isCurrent)
  if (tabs.length < 2) return null
  return (
    <TabBar label={say('relatedPages')} current={tabs.findIndex(({ path }) => isCurrent(path))}>
      {tabs.map((tab) => (
        <Link key={tab.path} to={tab.path as '/'} aria-current={isCurrent(tab.path) ? 'page' : undefined}>
          {titleOf(tab)}
        </Link>
      ))}
    </TabBar>
  )
}
