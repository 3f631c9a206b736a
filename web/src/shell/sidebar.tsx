import { FocusTrap, UnstyledButton } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { Link, useLocation, useRouter } from '@tanstack/react-router'
import { Fragment, useEffect, useRef } from 'react'
import { Hint } from '../components/display/hint.tsx'
import { Icon, type IconName } from '../components/display/icon.tsx'
import { calls, role } from '../lib/api/contract.ts'
import type { SessionUser } from '../lib/api/session.ts'
import { roleIn } from '../lib/api/staff.ts'
import { notifyFailure } from '../lib/notify.tsx'
import { useEndpoint } from '../lib/query.ts'
import { useStatus } from '../lib/status.ts'
import { useChatLinks } from '../lib/url/chat-links.ts'
import { useShellMessages } from './messages.ts'
import { homePlace, isChatGroup, isPlaceOf, type PlaceGroup, visibleGroups } from './navigation.ts'
import { aboutPage, declaredUsagePage, pricingPage } from './pages.ts'
import classes from './sidebar.module.css'
import { usePageTitle } from './use-page-title.ts'

interface SidebarProps {
  user: SessionUser | undefined
  /** Stands beside the page on wide screens. */
  docked: boolean
  narrow: boolean
  onCollapse: () => void
  /** Lies over the page on phones. */
  open: boolean
  onClose: () => void
}

interface EntryProps {
  to: string
  label: string
  icon: IconName
  narrow: boolean
  onGo: () => void
  /** Paths of the pages that it stands for; its own where it is left out. */
  pages?: readonly string[]
}

const Entry = (props: EntryProps) => {
  const { pathname } = useLocation()
  const { pages = [props.to] } = props
  const on = props.to === '/' ? pathname === '/' : pages.some((path) => isPlaceOf(path, pathname))
  const element = useRef<HTMLAnchorElement>(null)
  // The menu may be longer than the window: the place that one is at is in sight. With the next paint, since asking earlier
  // would have the whole page laid out once more.
  useEffect(() => {
    if (!on) return
    const frame = requestAnimationFrame(() => element.current?.scrollIntoView({ block: 'nearest' }))
    return () => cancelAnimationFrame(frame)
  }, [on])
  const link = (
    <Link
      ref={element}
      to={props.to as '/'}
      className={classes.entry}
      data-on={on || undefined}
      aria-current={on ? 'page' : undefined}
      onClick={props.onGo}
      {...(props.narrow ? { 'aria-label': props.label } : {})}
    >
      <Icon name={props.icon} size={15} />
      <span className={classes.label}>{props.label}</span>
    </Link>
  )
  return props.narrow ? (
    <Hint label={props.label} position="right">
      {link}
    </Hint>
  ) : (
    link
  )
}

const unknownUsageEveryMs = 5 * 60_000

/** Leads operators to parts of answers without a price while some wait to be declared, and while one is there. */
const UnknownUsageEntry = ({ narrow, onGo }: { narrow: boolean; onGo: () => void }) => {
  const titleOf = usePageTitle()
  const { pathname } = useLocation()
  const freshness = { staleTimeMs: unknownUsageEveryMs, refreshEveryMs: unknownUsageEveryMs }
  // Those that wait come first.
  const { data } = useEndpoint(calls.listDeclaredUsage, { query: { page_size: 1 } }, freshness)
  const { path } = declaredUsagePage
  const waits = data?.items.some(({ declaration }) => declaration === undefined) === true
  // It comes late, and moves the place that one is at.
  useEffect(() => {
    if (!waits) return
    const frame = requestAnimationFrame(() =>
      document.querySelector('nav [aria-current="page"]')?.scrollIntoView({ block: 'nearest' }),
    )
    return () => cancelAnimationFrame(frame)
  }, [waits])
  if (!waits && !isPlaceOf(path, pathname)) return null
  return <Entry to={path} label={titleOf(declaredUsagePage)} icon="warning" narrow={narrow} onGo={onGo} />
}

interface EntriesProps {
  user: SessionUser
  narrow: boolean
  onGo: () => void
}

/** Links of the operator to chat clients. */
const Apps = ({ narrow, onGo }: Omit<EntriesProps, 'user'>) => {
  const say = useShellMessages()
  const routes = useRouter().routesByPath
  const { pathname } = useLocation()
  const chats = useChatLinks()
  const isBroken = chats === undefined
  // A notification, once, not for every entry that is drawn.
  // biome-ignore lint/correctness/useExhaustiveDependencies: said again only when the list breaks again
  useEffect(() => {
    if (isBroken) notifyFailure(new Error(say('badChats')))
  }, [isBroken])
  const links = '/chat/$id' in routes ? (chats ?? []) : []
  if (links.length === 0) return null
  return (
    <section aria-label={say('groupApps')}>
      <h2 className={classes.group} data-on={isChatGroup(pathname, links.length) || undefined}>
        {say('groupApps')}
      </h2>
      {links.map((chat, index) => (
        <Entry
          // biome-ignore lint/suspicious/noArrayIndexKey: a link is known by its index, names may repeat
          key={index}
          to={`/chat/${index}`}
          label={chat.name}
          icon="external"
          narrow={narrow}
          onGo={onGo}
        />
      ))}
    </section>
  )
}

const Group = ({ group, user, narrow, onGo }: EntriesProps & { group: PlaceGroup }) => {
  const say = useShellMessages()
  const titleOf = usePageTitle()
  const routes = useRouter().routesByPath
  const hasUnknownUsage =
    group.word === 'groupMoney' &&
    Object.hasOwn(routes, declaredUsagePage.path) &&
    roleIn(user, 'billing') >= role.admin
  return (
    <section aria-label={say(group.word)}>
      <h2 className={classes.group}>{say(group.word)}</h2>
      {group.places.map((place) => (
        <Entry
          key={place.path}
          to={place.path}
          label={titleOf(place)}
          icon={place.icon}
          narrow={narrow}
          onGo={onGo}
          pages={place.tabs.map(({ path }) => path)}
        />
      ))}
      {hasUnknownUsage && <UnknownUsageEntry narrow={narrow} onGo={onGo} />}
    </section>
  )
}

const Entries = ({ user, narrow, onGo }: EntriesProps) => {
  const status = useStatus()
  const routes = useRouter().routesByPath
  return visibleGroups(routes, status, user).map((group) => (
    <Fragment key={group.word}>
      <Group group={group} user={user} narrow={narrow} onGo={onGo} />
      {group.word === 'groupUse' && <Apps narrow={narrow} onGo={onGo} />}
    </Fragment>
  ))
}

const PhoneExtras = ({ user, onGo }: { user: SessionUser | undefined; onGo: () => void }) => {
  const say = useShellMessages()
  const titleOf = usePageTitle()
  const { docs_link: docs } = useStatus()
  const routes = useRouter().routesByPath
  return (
    <section className={classes.phoneOnly} aria-label={say('mainNavigation')}>
      <Entry to={homePlace.path} label={titleOf(homePlace)} icon="home" narrow={false} onGo={onGo} />
      {user === undefined && '/pricing' in routes && (
        <Entry to="/pricing" label={titleOf(pricingPage)} icon="ticket" narrow={false} onGo={onGo} />
      )}
      {docs && (
        <a className={classes.entry} href={docs} target="_blank" rel="noopener noreferrer">
          <Icon name="external" size={15} />
          <span className={classes.label}>{say('docs')}</span>
        </a>
      )}
      <Entry to="/about" label={titleOf(aboutPage)} icon="info" narrow={false} onGo={onGo} />
    </section>
  )
}

/** The places of the console: docked on wide screens, a drawer on phones that closes when a place is chosen. */
export const Sidebar = ({ user, docked, narrow, onCollapse, open, onClose }: SidebarProps) => {
  const say = useShellMessages()
  useHotkeys([['Escape', onClose]])
  const small = narrow && !open
  return (
    <>
      {open && <button type="button" className={classes.veil} aria-label={say('closeMenu')} onClick={onClose} />}
      <FocusTrap active={open}>
        <aside
          className={classes.sidebar}
          data-docked={docked || undefined}
          data-narrow={small || undefined}
          data-open={open || undefined}
        >
          <nav className={classes.places} aria-label={say('sidebar')}>
            {user && <Entries user={user} narrow={small} onGo={onClose} />}
            <PhoneExtras user={user} onGo={onClose} />
          </nav>
          <UnstyledButton
            className={classes.collapse}
            onClick={onCollapse}
            aria-label={narrow ? say('expand') : say('collapse')}
          >
            <Icon name={narrow ? 'right' : 'left'} size={14} />
            <span className={classes.label}>{narrow ? say('expand') : say('collapse')}</span>
          </UnstyledButton>
        </aside>
      </FocusTrap>
    </>
  )
}
