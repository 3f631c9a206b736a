import type { ConsolePage } from '../components/page.ts'
import { role } from '../lib/api/contract.ts'
import type { SessionUser } from '../lib/api/session.ts'
import { roleIn } from '../lib/api/staff.ts'
import type { SiteStatus } from '../lib/status.ts'
import * as pages from './pages.ts'

/** A page that the sidebar, the palette or a shortcut leads to. */
export type NavigationEntry = Pick<ConsolePage, 'path' | 'title' | 'access' | 'area' | 'isSearched'> &
  Omit<Sidebar, 'group' | 'position'>

type Sidebar = NonNullable<ConsolePage['sidebar']>
type Group = Sidebar['group']

export interface PlaceGroup {
  readonly word: Group
  readonly places: readonly NavigationEntry[]
}

const groups = ['groupChat', 'groupConsole', 'groupAdmin', 'groupPersonal'] as const satisfies readonly Group[]

const allPages: readonly ConsolePage[] = Object.values(pages)

const placesOf = (group: Group): NavigationEntry[] =>
  allPages
    .flatMap(({ path, title, access, area, isSearched, sidebar }) =>
      sidebar?.group === group
        ? [{ path, title, access, ...(area ? { area } : {}), ...(isSearched ? { isSearched } : {}), ...sidebar }]
        : [],
    )
    .sort((a, b) => a.position - b.position)

/** The sidebar, group by group. */
const sidebarGroups: readonly PlaceGroup[] = groups.map((word) => ({ word, places: placesOf(word) }))

export const homePlace: NavigationEntry = { ...pages.homePage, icon: 'home', shortcut: 'h' }

/** Which of the routes exist; the router's own table. */
type Routes = Readonly<Record<string, unknown>>

const rankAt = ({ area }: NavigationEntry, user: SessionUser): number => (area ? roleIn(user, area) : user.role)

const isOpen = (place: NavigationEntry, routes: Routes, status: SiteStatus, user: SessionUser): boolean =>
  Object.hasOwn(routes, place.path) &&
  (!place.flag || (place.flag === 'organisations' ? user.organisations === 'belongs' : status[place.flag])) &&
  (place.access !== 'admin' || rankAt(place, user) >= role.admin) &&
  (place.access !== 'root' || user.role >= role.root)

/** The groups that a person sees; empty groups disappear. */
export const visibleGroups = (routes: Routes, status: SiteStatus, user: SessionUser): readonly PlaceGroup[] =>
  sidebarGroups
    .map((group) => ({ ...group, places: group.places.filter((place) => isOpen(place, routes, status, user)) }))
    .filter((group) => group.places.length > 0)

/** Where "Console" leads: the first place of the console group that the person can see. */
export const consolePath = (routes: Routes, status: SiteStatus, user: SessionUser | undefined): string => {
  if (!user) return '/login'
  const groups = visibleGroups(routes, status, user)
  const console = groups.find((group) => group.word === 'groupConsole') ?? groups[0]
  return console?.places[0]?.path ?? '/personal'
}

/** True for a path under the chat pages that is none of the saved links: the group itself is then current. */
export const isChatGroup = (path: string, links: number): boolean => {
  const [, index] = /^\/chat(?:\/([^/]+))?$/.exec(path) ?? [undefined, undefined]
  if (!isPlaceOf('/chat', path)) return false
  return index === undefined || !/^\d+$/.test(index) || Number(index) >= links
}

/** The entry that a path belongs to: itself or one of its sub-addresses. */
export const isPlaceOf = (path: string, current: string): boolean => current === path || current.startsWith(`${path}/`)
