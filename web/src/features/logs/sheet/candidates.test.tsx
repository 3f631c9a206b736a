import { screen, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { forgetUser, storeUser } from '../../../lib/api/session.ts'
import { setLanguage } from '../../../lib/i18n.ts'
import { fakeFetch } from '../../../test/fake-fetch.ts'
import { renderAmongPages, renderConsole } from '../../../test/render-console.tsx'
import { LogsScreen } from '../screen.tsx'
import { testLog } from '../testing-log.ts'

const page = (items: unknown[]) => ({ items, total: items.length, page: 1, page_size: 10 })

beforeEach(() => {
  forgetUser()
  setLanguage('en')
  storeUser({ id: 7, username: 'root', display_name: '', role: 100, status: 1, group: 'default' })
})

it('says which channels could have got a call, and why each did or did not', async () => {
  const tried = (channel: number, channel_name: string, status: number, error: string) => ({
    channel,
    channel_name,
    started_ms: 0,
    duration_ms: 100,
    status,
    error,
  })
  const route = {
    choice: 'latency' as const,
    more: 1,
    candidates: [
      { id: 1, priority: 10, weight: 5, score: 900, why: 'chosen' as const },
      { id: 2, priority: 10, weight: 1, score: 1310, why: 'not_best' as const },
      { id: 3, priority: 5, weight: 1, why: 'lower_priority' as const },
      { id: 4, priority: 5, weight: 1, why: 'in_trouble' as const },
    ],
  }
  const attempts = [tried(1, 'Bedrock', 529, 'overloaded'), tried(2, 'Direct', 200, '')]
  fakeFetch({
    'GET /api/user/models': () => [],
    'GET /api/log/': () => page([testLog({ id: 1, request_id: 'req-1', other: { admin_info: { attempts, route } } })]),
    'GET /api/channel/browse': () => page([{ id: 3, name: 'Vertex' }]),
  })
  const explain = { zh: '路由测试', en: 'Route tester' }
  const others = [{ path: '/why', staticData: { title: explain, leadsFrom: { candidates: explain } } }] as const
  await renderAmongPages(<LogsScreen />, '/log?request=req-1', others)
  const sheet = within(await screen.findByRole('dialog'))
  await sheet.findByText('Vertex')
  const table = within(await sheet.findByRole('table', { name: 'Why this channel' }))
  const rows = table.getAllByRole('row').map((row) => [...row.children].map((cell) => cell.textContent).join(' | '))
  expect(rows).toEqual([
    'Candidate | Priority | Weight | First token | Outcome',
    'Bedrock | 10 | 5 | 0.90 s | 529, failed over',
    'Direct | 10 | 1 | 1.31 s | answered',
    'Vertex | 5 | 1 | — | lower priority',
    '#4 | 5 | 1 | — | cooling down',
  ])
  expect(sheet.getByText('and 1 candidate more')).toBeTruthy()
  expect(sheet.getByRole('link', { name: 'Route tester' }).getAttribute('href')).toContain('/why?tab=explain')
})

it('says how much of a prompt the cache missed, and why', async () => {
  const other = {
    cache_miss: { cause: 'tools_order' as const, tokens: 48_952 },
    session: { id: 'a1b2c3d4e5f60718', state: 'hit' as const },
  }
  fakeFetch({
    'GET /api/user/models': () => [],
    'GET /api/log/': () => page([testLog({ id: 1, request_id: 'req-1', other })]),
  })
  await renderConsole(<LogsScreen />, '/log?request=req-1')
  const sheet = within(await screen.findByRole('dialog'))
  const missed = await sheet.findByText('48,952 tokens missed the cache.')
  expect(missed.parentElement?.textContent).toContain('Keep the MCP servers in one order')
  expect(sheet.getByRole('link', { name: 'session a1b2' }).getAttribute('href')).toContain('session=a1b2c3d4e5f60718')
})
