import { useRouter } from '@tanstack/react-router'
import { ownMember } from '@tollgate/contract/own-member'
import type { ConsolePage, SidebarPlace } from '../components/page.ts'
import { role } from '../lib/api/contract.ts'
import { type SessionUser, useSession } from '../lib/api/session.ts'
import { roleIn } from '../lib/api/staff.ts'
import { type SiteStatus, useStatus } from '../lib/status.ts'
import * as pages from './pages.ts'

/** A page that the sidebar, the palette or a shortcut leads to. */
export type NavigationEntry = Pick<ConsolePage, 'path' | 'title' | 'access' | 'area' | 'keywords' | 'isSearched'> &
  Pick<SidebarPlace, 'icon' | 'shortcut' | 'flag' | 'hasRows'>

/** An entry of the sidebar. One that stands for a family leads to its first tab that the person may open. */
export interface Place extends NavigationEntry {
  /** Its pages in their order, shown as tabs above each of them; the page alone where it has no family. */
  readonly tabs: readonly NavigationEntry[]
}

type Group = SidebarPlace['group']

export interface PlaceGroup {
  readonly word: Group
  readonly places: readonly Place[]
}

const groups = [
  'groupOverview',
  'groupUse',
  'groupActivity',
  'groupMoney',
  'groupSite',
] as const satisfies readonly Group[]

const allPages: readonly ConsolePage[] = Object.values(pages)

type PlacedPage = ConsolePage & { readonly sidebar: SidebarPlace }

const placedPages: readonly PlacedPage[] = allPages.filter((page): page is PlacedPage => page.sidebar !== undefined)

const byPosition = (a: PlacedPage, b: PlacedPage): number => a.sidebar.position - b.sidebar.position

const entryOf = ({ path, title, access, area, keywords, isSearched, sidebar }: PlacedPage): NavigationEntry => {
  const { icon, shortcut, flag, hasRows } = sidebar
  return {
    path,
    title,
    access,
    icon,
    ...(area ? { area } : {}),
    ...(keywords ? { keywords } : {}),
    ...(isSearched ? { isSearched } : {}),
    ...(shortcut ? { shortcut } : {}),
    ...(flag ? { flag } : {}),
    ...(hasRows ? { hasRows } : {}),
  }
}

const ledPaths: ReadonlySet<string | undefined> = new Set(placedPages.map(({ sidebar }) => sidebar.leads))

/** A page with its tabs, and after them the family that it leads. */
const membersOf = (head: PlacedPage): readonly PlacedPage[] => [
  head,
  ...placedPages.filter(({ sidebar }) => sidebar.tabOf === head.path).sort(byPosition),
  ...placedPages.filter(({ path }) => path === head.sidebar.leads).flatMap(membersOf),
]

/** The sidebar with all its pages, by group: of each entry its page and those of its tabs. */
const families = groups.map((word) => ({
  word,
  families: placedPages
    .filter(({ path, sidebar }) => sidebar.group === word && sidebar.tabOf === undefined && !ledPaths.has(path))
    .sort(byPosition)
    .map((head) => ({ head, members: membersOf(head) })),
}))

export const homePlace: NavigationEntry = { ...pages.homePage, icon: 'home', shortcut: 'h' }

/** The account menu leads to it. */
const personalPlace: NavigationEntry = { ...pages.personalPage, icon: 'user', shortcut: 's' }

/** The routes that exist; the router's own table. */
type Routes = Readonly<Record<string, unknown>>

const rankAt = ({ area }: Pick<NavigationEntry, 'area'>, user: SessionUser): number =>
  area ? roleIn(user, area) : user.role

const isOn = (flag: SidebarPlace['flag'], status: SiteStatus, user: SessionUser): boolean => {
  if (flag === undefined) return true
  if (flag === 'organisations') return user.organisations === 'belongs' || user.role >= role.admin
  return ownMember(status, flag) === true
}

const isOpen = (
  place: Pick<NavigationEntry, 'path' | 'access' | 'area' | 'flag'>,
  routes: Routes,
  status: SiteStatus,
  user: SessionUser,
): boolean =>
  Object.hasOwn(routes, place.path) &&
  isOn(place.flag, status, user) &&
  (place.access !== 'admin' || rankAt(place, user) >= role.admin) &&
  (place.access !== 'root' || user.role >= role.root)

/** The groups of people without rights of administrators: what they use, and everything else of theirs. */
const shortGroups = (groups: readonly PlaceGroup[]): readonly PlaceGroup[] => {
  const use = groups.filter(({ word }) => word === 'groupUse')
  const own = groups.filter(({ word }) => word !== 'groupUse').flatMap(({ places }) => places)
  return [{ word: 'groupOverview', places: own }, ...use]
}

const needsRights = ({ access }: NavigationEntry): boolean => access === 'admin' || access === 'root'

/** The groups that a person sees; empty groups disappear. */
export const visibleGroups = (routes: Routes, status: SiteStatus, user: SessionUser): readonly PlaceGroup[] => {
  const visible = families.map(({ word, families }) => ({
    word,
    places: families.flatMap(({ head, members }): Place[] => {
      const tabs = members.map(entryOf).filter((place) => isOpen(place, routes, status, user))
      const [first] = tabs
      if (first === undefined) return []
      const title = first.path === head.path ? (head.sidebar.name ?? first.title) : first.title
      return [{ ...first, title, tabs }]
    }),
  }))
  const hasRights = visible.some(({ places }) => places.some(({ tabs }) => tabs.some(needsRights)))
  return (hasRights ? visible : shortGroups(visible)).filter(({ places }) => places.length > 0)
}

/** Every page without parameters that a person may open, whatever leads there; those of the sidebar in its order. */
export const openPages = (
  routes: Routes,
  status: SiteStatus,
  user: SessionUser | undefined,
): readonly NavigationEntry[] => {
  if (user === undefined) return [homePlace]
  const placed = visibleGroups(routes, status, user).flatMap(({ places }) => places.flatMap(({ tabs }) => tabs))
  const others = allPages
    .filter((page) => page.sidebar === undefined && page.keywords !== undefined && page.path !== personalPlace.path)
    .filter((page) => isOpen(page, routes, status, user))
    .map((page): NavigationEntry => ({ ...page, icon: 'document' }))
  return [homePlace, ...placed, personalPlace, ...others]
}

/** The pages that the reader may open, for the palette, the sheet of shortcuts and `g` jumps. */
export const useReachable = (): readonly NavigationEntry[] =>
  openPages(useRouter().routesByPath, useStatus(), useSession())

/** Pages about one thing have tabs of their own. */
const isOfOne = (path: string): boolean => /^\/[^/]+\/\d+$/.test(path)

/** The tabs of the family that a path belongs to; none where it is no page of a family, or the only one that is open. */
export const tabsAt = (groups: readonly PlaceGroup[], path: string): readonly NavigationEntry[] => {
  if (isOfOne(path)) return []
  const tabs = groups
    .flatMap(({ places }) => places)
    .map((place) => place.tabs)
    .find((members) => members.some((member) => isPlaceOf(member.path, path)))
  return tabs !== undefined && tabs.length > 1 ? tabs : []
}

/** The first place of those that a person sees, to which "Console" leads. */
export const consolePath = (routes: Routes, status: SiteStatus, user: SessionUser | undefined): string => {
  if (!user) return '/login'
  const groups = visibleGroups(routes, status, user)
  const first = groups.find(({ word }) => word === 'groupOverview')?.places[0]?.path
  return first ?? (Object.hasOwn(routes, '/token') ? '/token' : personalPlace.path)
}

/** True for a path under the chat pages that is none of the saved links: the group itself is then current. */
export const isChatGroup = (path: string, links: number): boolean => {
  const [, index] = /^\/chat(?:\/([^/]+))?$/.exec(path) ?? [undefined, undefined]
  if (!isPlaceOf('/chat', path)) return false
  return index === undefined || !/^\d+$/.test(index) || Number(index) >= links
}

/** The entry that a path belongs to: itself or one of its sub-addresses. */
export const isPlaceOf = (path: string, current: string): boolean => current === path || current.startsWith(`${path}/`)
