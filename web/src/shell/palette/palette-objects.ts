import { useDebouncedValue } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useTestChannel } from '../../features/channels/tests/test-channel.ts'
import { type Channel, calls } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import type { Command } from './command.ts'
import { usePaletteMessages } from './palette-messages.ts'

const mostOfEach = 5
const mostTests = 8
/** Beside what was found by name. */
const mostTestsBeside = 3
const pauseMs = 200

/** The text after "test channel …" in either language; undefined if the input is another command. */
export const testWanted = (text: string): string | undefined =>
  (/^test(?:\s+channel)?(?:\s+(.*))?$/i.exec(text) ?? /^测试(?:渠道)?\s*(.*)$/.exec(text))
    ?.slice(1)
    .map((rest) => rest ?? '')[0]

/** The first rows of a list; of an answer to an older text only those that still fit. */
const shownOf = <Row>(
  query: { data: { items: readonly Row[] } | undefined; isPlaceholderData: boolean },
  { text, isOld, searchTextOf }: { text: string; isOld: boolean; searchTextOf: (row: Row) => string },
): readonly Row[] => {
  const items = query.data?.items ?? []
  if (!isOld && !query.isPlaceholderData) return items
  return items.filter((row) => searchTextOf(row).toLowerCase().includes(text.toLowerCase()))
}

interface PaletteSearch {
  text: string
  isAdmin: boolean
  hasKeys: boolean
}

/** Channels, users, own keys and models whose name or id matches the text, and channels that can be tested. */
export const useObjects = ({
  text,
  isAdmin,
  hasKeys,
}: PaletteSearch): { objects: readonly Command[]; tests: readonly Command[] } => {
  const say = usePaletteMessages()
  const navigate = useNavigate()
  const testChannel = useTestChannel()
  const [settled] = useDebouncedValue(text, pauseMs)
  const rest = testWanted(settled)
  const named = testWanted(text) ?? text
  const keyword = rest ?? settled
  const isObject = settled !== '' && rest === undefined
  const query = { keyword: settled, page_size: mostOfEach }
  const channels = useEndpoint(
    calls.browseChannels,
    { query: { keyword, page_size: rest === undefined ? mostOfEach : mostTests } },
    { enabled: isAdmin && settled !== '' },
  )
  const users = useEndpoint(
    calls.searchUsers,
    { query: { ...query, kind: 'people' } },
    { enabled: isAdmin && isObject },
  )
  const keys = useEndpoint(calls.browseTokens, { query }, { enabled: hasKeys && isObject })
  const { data: models } = useEndpoint(calls.getOwnModels, {}, { enabled: hasKeys && isObject })
  const keyId = Number(/^#?(\d{1,15})$/.exec(settled)?.[1] ?? 0)
  const keyOfId = useEndpoint(calls.getToken, { params: { id: keyId } }, { enabled: hasKeys && keyId > 0 })
  const isOld = settled !== text
  if (text === '') return { objects: [], tests: [] }

  const found = isAdmin
    ? shownOf(channels, { text: named, isOld, searchTextOf: ({ name, id }) => `${name} #${id}` })
    : []
  const test = (channel: Channel): Command => ({
    id: `test:${channel.id}`,
    label: say('testNamed', { name: channel.name, id: channel.id }),
    icon: 'send',
    run: () => void testChannel(channel),
  })
  if (testWanted(text) !== undefined) return { objects: [], tests: found.map(test) }
  const byName = shownOf(keys, { text, isOld, searchTextOf: ({ name }) => name })
  const byId = !isOld && keyOfId.data?.id === keyId ? [keyOfId.data] : []
  const keysFound = [...byId, ...byName.filter(({ id }) => id !== byId[0]?.id)]
  const objects: Command[] = [
    ...found.map(({ id, name }) => ({
      id: `channel:${id}`,
      label: say('channelNamed', { name, id }),
      icon: 'channels' as const,
      run: () => void navigate({ to: '/channel/$id', params: { id: String(id) } }),
    })),
    ...shownOf(users, {
      text,
      isOld,
      searchTextOf: (user) => `${user.username} ${user.display_name} ${user.email}`,
    }).map((user) => ({
      id: `user:${user.id}`,
      label: say('userNamed', { name: user.username, id: user.id }),
      icon: 'user' as const,
      run: () => void navigate({ to: '/user/$id', params: { id: String(user.id) } }),
    })),
    ...keysFound.map(({ id, name }) => ({
      id: `key:${id}`,
      label: say('keyNamed', { name, id }),
      icon: 'key' as const,
      run: () => void navigate({ to: '/token/$id', params: { id: String(id) } }),
    })),
    ...(models ?? [])
      .filter((name) => name.toLowerCase().includes(text.toLowerCase()))
      .slice(0, mostOfEach)
      .map((name) => ({
        id: `model:${name}`,
        label: say('modelNamed', { name }),
        icon: 'list' as const,
        run: () => void navigate({ to: '/pricing/model/$', params: { _splat: name } }),
      })),
  ]
  return { objects, tests: found.slice(0, mostTestsBeside).map(test) }
}
