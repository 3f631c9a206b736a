import type { IconName } from '../components/display/icon.tsx'
import { role } from '../lib/api/contract.ts'
import type { SessionUser } from '../lib/api/session.ts'
import type { SiteStatus } from '../lib/status.ts'
import type { ShellWord } from './messages.ts'
import type { PageWord } from './page-words.ts'

/** One place that can be gone to. Shown only while its route exists, its flag is on and its role is held. */
export interface Place {
  readonly path: string
  readonly word: PageWord
  readonly icon: IconName
  /** Letter after `g`. */
  readonly key?: string
  readonly flag?: 'enable_data_export' | 'enable_drawing' | 'enable_task'
  readonly leastRole?: number
}

export interface PlaceGroup {
  readonly word: ShellWord
  readonly places: readonly Place[]
}

/** The sidebar, group by group. */
const sidebarGroups: readonly PlaceGroup[] = [
  { word: 'groupChat', places: [{ path: '/playground', word: 'playground', icon: 'chat', key: 'p' }] },
  {
    word: 'groupConsole',
    places: [
      { path: '/detail', word: 'dashboard', icon: 'chart', key: 'd', flag: 'enable_data_export' },
      { path: '/token', word: 'tokens', icon: 'key', key: 't' },
      { path: '/log', word: 'logs', icon: 'document', key: 'l' },
      { path: '/midjourney', word: 'drawings', icon: 'image', key: 'm', flag: 'enable_drawing' },
      { path: '/task', word: 'tasks', icon: 'list', key: 'k', flag: 'enable_task' },
    ],
  },
  {
    word: 'groupAdmin',
    places: [
      { path: '/channel', word: 'channels', icon: 'channels', key: 'c', leastRole: role.admin },
      { path: '/redemption', word: 'redemptions', icon: 'ticket', key: 'r', leastRole: role.admin },
      { path: '/user', word: 'users', icon: 'users', key: 'u', leastRole: role.admin },
      { path: '/audit', word: 'audit', icon: 'history', key: 'a', leastRole: role.admin },
      { path: '/setting', word: 'settings', icon: 'sliders', key: 'o', leastRole: role.admin },
    ],
  },
  {
    word: 'groupPersonal',
    places: [
      { path: '/topup', word: 'wallet', icon: 'wallet', key: 'w' },
      { path: '/personal', word: 'personal', icon: 'user', key: 's' },
    ],
  },
]

export const homePlace: Place = { path: '/', word: 'home', icon: 'home', key: 'h' }

/** Which of the routes exist; the router's own table. */
export type Routes = Readonly<Record<string, unknown>>

const isOpen = (place: Place, routes: Routes, status: SiteStatus, user: SessionUser): boolean =>
  Object.hasOwn(routes, place.path) && (!place.flag || status[place.flag]) && user.role >= (place.leastRole ?? 0)

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

/** Whether a path is under the chat pages without being one of the saved links: the group itself is then the place. */
export const isChatGroup = (path: string, links: number): boolean => {
  const [, index] = /^\/chat(?:\/([^/]+))?$/.exec(path) ?? [undefined, undefined]
  if (!isPlaceOf('/chat', path)) return false
  return index === undefined || !/^\d+$/.test(index) || Number(index) >= links
}

/** The entry that a path belongs to: itself or one of its sub-addresses. */
export const isPlaceOf = (path: string, current: string): boolean => current === path || current.startsWith(`${path}/`)
