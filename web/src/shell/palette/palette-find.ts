import { useNavigate } from '@tanstack/react-router'
import { useReachable } from '../navigation.ts'
import { usePageTitle } from '../use-page-title.ts'
import type { Command } from './command.ts'
import { usePaletteMessages } from './palette-messages.ts'
import { testWanted, topUpWanted, useObjects } from './palette-objects.ts'
import { usePersonalTabs } from './palette-personal.ts'
import { useSettingFinds } from './palette-settings.ts'

/** Lists of the kernel whose search field accepts a name or an id, in the order of their results. */
const searchable = ['/token', '/channel', '/user'] as const

/** Request ids begin with the time of the call, to the second or further. */
const beginsLikeRequest = (text: string): boolean => /^20\d\d(0[1-9]|1[0-2])([0-2]\d|3[01])\d{2,}/.test(text)

const looksLikeRequest = (text: string): boolean =>
  beginsLikeRequest(text) || (/^[\w-]{16,}$/.test(text) && !text.startsWith('sk-'))

/** Results for the typed text: the objects with this id, and the lists that can be searched for it. */
export const useFinds = (text: string): readonly Command[] => {
  const say = usePaletteMessages()
  const titleOf = usePageTitle()
  const navigate = useNavigate()
  const places = useReachable()
  const isAdmin = places.some(({ access }) => access === 'admin')
  const hasKeys = places.some(({ path }) => path === '/token')
  const settings = useSettingFinds(text, isAdmin)
  const personal = places.find(({ path }) => path === '/personal')
  const personalTabs = usePersonalTabs(text, personal && titleOf(personal))
  const { objects, tests, topUps } = useObjects({ text, isAdmin, hasKeys })
  if (text === '') return []
  if (testWanted(text) !== undefined && isAdmin) return tests
  if (topUpWanted(text) !== undefined && isAdmin) return topUps
  const id = beginsLikeRequest(text) ? undefined : /^#?(\d{1,15})$/.exec(text)?.[1]
  const labelOf = (wanted: string): string | undefined => objects.find((object) => object.id === wanted)?.label
  const lists = [
    ...searchable.flatMap((path) => places.find((place) => place.path === path) ?? []),
    ...places.filter(({ isSearched }) => isSearched),
  ]
  return [
    ...(id !== undefined && isAdmin
      ? [
          {
            id: 'find:channel',
            label: labelOf(`channel:${id}`) ?? say('channelOfId', { id }),
            icon: 'channels' as const,
            run: () => void navigate({ to: '/channel/$id', params: { id } }),
          },
          {
            id: 'find:user',
            label: labelOf(`user:${id}`) ?? say('userOfId', { id }),
            icon: 'user' as const,
            run: () => void navigate({ to: '/user/$id', params: { id } }),
          },
        ]
      : []),
    ...(looksLikeRequest(text) && lists.length > 0
      ? [
          {
            id: 'find:request',
            label: say('requestOfId', { id: text }),
            icon: 'document' as const,
            run: () => void navigate({ to: '/log', search: { request: text } }),
          },
        ]
      : []),
    ...objects.filter((object) => object.id !== `channel:${id}` && object.id !== `user:${id}`),
    ...tests,
    ...personalTabs,
    ...settings,
    ...lists.map((place) => ({
      id: `find:${place.path}`,
      label: say('findIn', { text, place: titleOf(place) }),
      icon: 'search' as const,
      run: () => void navigate({ to: place.path as '/', search: { keyword: text } }),
    })),
  ]
}
