import { Link, useLocation, useRouter } from '@tanstack/react-router'
import { TabBar } from '../components/tab-bar.tsx'
import type { SessionUser } from '../lib/api/session.ts'
import { useStatus } from '../lib/status.ts'
import { useShellMessages } from './messages.ts'
import { isPlaceOf, tabsAt, visibleGroups } from './navigation.ts'
import { usePageTitle } from './use-page-title.ts'

/** Links to the pages that share an entry of the sidebar with this one; nothing where it has an entry of its own. */
export const PageTabs = ({ user }: { user: SessionUser }) => {
  const say = useShellMessages()
  const titleOf = usePageTitle()
  const status = useStatus()
  const { pathname } = useLocation()
  const tabs = tabsAt(visibleGroups(useRouter().routesByPath, status, user), pathname)
  if (tabs.length === 0) return null
  const isCurrent = (path: string): boolean => isPlaceOf(path, pathname)
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
