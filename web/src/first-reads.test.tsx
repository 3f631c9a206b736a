import { waitFor } from '@testing-library/react'
import type { ComponentType } from 'react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { forgetUser, storeUser } from './lib/api/session.ts'
import { type FirstRead, readAheadInto } from './lib/loading/read-ahead.ts'
import { writeText } from './lib/preferences/storage.ts'
import { createQueryClient } from './lib/query.ts'
import { fakeFetch, type Sent } from './test/fake-fetch.ts'
import { renderConsole } from './test/render-console.tsx'

interface Place {
  path: string
  load: () => Promise<{ firstRead: FirstRead }>
  screen: string
  /** The screen's first reads. */
  list: string
  beside?: string
}

const logs = {
  load: () => import('./features/logs/screen.tsx'),
  screen: 'LogsScreen',
  list: '/api/log/',
  beside: '/api/log/stat',
}
const places: readonly Place[] = [
  {
    path: '/token',
    load: () => import('./features/tokens/screen.tsx'),
    screen: 'TokensScreen',
    list: '/api/token/browse',
  },
  { path: '/log', ...logs },
  { path: '/log?range=1h&type=2&p=2&sort=-quota', ...logs },
  {
    path: '/midjourney',
    load: () => import('./features/drawings/screen.tsx'),
    screen: 'DrawingsScreen',
    list: '/api/mj/browse',
  },
  { path: '/task', load: () => import('./features/tasks/screen.tsx'), screen: 'TasksScreen', list: '/api/task/browse' },
  {
    path: '/channel?type=1&not=type',
    load: () => import('./features/channels/screen.tsx'),
    screen: 'ChannelsScreen',
    list: '/api/channel/browse',
  },
  { path: '/user', load: () => import('./features/users/screen.tsx'), screen: 'UsersScreen', list: '/api/user/search' },
  {
    path: '/audit?actor=root',
    load: () => import('./features/audit/screen.tsx'),
    screen: 'AuditScreen',
    list: '/api/audit',
  },
]

const addressOf = ({ path, query }: Sent): string => `${path}?${new URLSearchParams(query)}`

describe('what is read ahead of a screen', () => {
  beforeEach(() => {
    storeUser({ id: 1, username: 'root', display_name: '', role: 100, status: 1, group: 'default' })
    writeText('page-size', '50')
    writeText('id-sort', 'true')
  })
  afterEach(() => {
    forgetUser()
    localStorage.clear()
  })

  it.each(places)('is what $path asks for: nothing is asked twice', async ({ path, load, screen, list, beside }) => {
    const answers = {
      [`GET ${list}`]: () => ({ items: [], total: 90 }),
      ...(beside ? { [`GET ${beside}`]: () => ({ quota: 0, rpm: 0, tpm: 0 }) } : {}),
    }
    const sent = fakeFetch(answers)
    const module = await load()
    const client = createQueryClient()
    const search = Object.fromEntries(new URL(path, 'http://console.test').searchParams)
    module.firstRead(readAheadInto(client), search, {})
    await waitFor(() => expect(client.isFetching()).toBe(0))
    const ahead = sent.map(addressOf)
    expect(sent.map((call) => call.path)).toEqual(beside ? [list, beside] : [list])
    expect(ahead[0]).toContain('page_size=50')

    const Screen = (module as unknown as Record<string, ComponentType>)[screen] as ComponentType
    await renderConsole(<Screen />, path, client)
    await waitFor(() => expect(client.isFetching()).toBe(0))
    const lists = sent.filter((call) => call.path === list && call.query.page_size !== '1')
    expect(lists.map(addressOf)).toEqual(ahead.slice(0, 1))
    expect(sent.filter((call) => call.path === beside)).toHaveLength(beside ? 1 : 0)
  })
})
