import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  type CallSession,
  type CallSessionGuard,
  type CallSessionSums,
  type LogEntry,
  logType,
} from '#web/lib/api/contract.ts'
import { forgetUser, storeUser } from '#web/lib/api/session.ts'
import { setLanguage } from '#web/lib/i18n.ts'
import { fakeFetch } from '#web/test/fake-fetch.ts'
import { renderConsole } from '#web/test/render-console.tsx'
import { SessionsScreen } from './screen.tsx'

const signIn = (role: number): void =>
  storeUser({ id: 7, username: 'alice', display_name: '', role, status: 1, group: 'default' })

beforeEach(() => {
  forgetUser()
  setLanguage('en')
})

afterEach(() => {
  vi.restoreAllMocks()
})

const id = '0123456789abcdef'

const session = (more: Partial<CallSession> = {}): CallSession => ({
  id,
  user_id: 7,
  username: 'alice',
  token_name: 'laptop',
  client: 'Claude Code',
  models: ['claude-sonnet-4-5', 'claude-haiku-4-5'],
  first_time: 1_763_600_000,
  last_time: 1_763_603_600,
  calls: 41,
  failures: 1,
  quota: 475_000,
  prompt_tokens: 200_000,
  completion_tokens: 4000,
  cached_tokens: 150_000,
  cache_write_tokens: 20_000,
  missed_tokens: 48_952,
  cache_saved: 300_000,
  cache_lost: 60_000,
  ...more,
})

const log = (row: number, other: object, more: Partial<LogEntry> = {}): LogEntry => ({
  id: row,
  user_id: 7,
  created_at: 1_763_603_600 - row,
  type: logType.consume,
  content: '',
  username: 'alice',
  token_name: 'laptop',
  token_id: 1,
  model_name: 'claude-sonnet-4-5',
  quota: 11_250,
  prompt_tokens: 74_984,
  completion_tokens: 951,
  use_time: 2,
  is_stream: true,
  channel: 1,
  channel_name: 'one',
  group: 'default',
  request_id: `r${row}`,
  ip: '',
  other: JSON.stringify(other),
  ...more,
})

const sums: CallSessionSums = {
  sessions: 94,
  running: 7,
  missed: 1,
  quota: 76_200_000,
  prompt_tokens: 1000,
  cached_tokens: 846,
  cache_saved: 248_355_000,
  cache_lost: 5_760_000,
}

const page = <T,>(items: T[]) => ({ items, total: items.length, page: 1, page_size: 10 })

it('lists sessions with what they cost and the share that came from caches', async () => {
  signIn(10)
  fakeFetch({ 'GET /api/sessions/': () => page([session()]) })
  await renderConsole(<SessionsScreen />, '/sessions')
  const row = await screen.findByRole('row', { name: /claude-sonnet-4-5/ })
  for (const text of ['alice', 'Claude Code', '41', '75.0%', '$0.95', '$0.60', '$0.12']) {
    expect(within(row).getByText(text)).toBeTruthy()
  }
})

it('asks an ordinary user only for what is theirs, and shows no user', async () => {
  signIn(1)
  const sent = fakeFetch({
    'GET /api/sessions/self': () => page([session()]),
    'GET /api/sessions/self/sums': () => sums,
  })
  await renderConsole(<SessionsScreen />, '/sessions')
  await screen.findByText('01234567')
  expect(new Set(sent.map(({ path }) => path))).toEqual(new Set(['/api/sessions/self', '/api/sessions/self/sums']))
  expect(screen.queryByText('alice')).toBeNull()
})

it('shows what the sessions that fit came to together', async () => {
  signIn(10)
  const sent = fakeFetch({ 'GET /api/sessions/': () => page([session()]), 'GET /api/sessions/sums': () => sums })
  await renderConsole(<SessionsScreen />, '/sessions?username=alice&size=10&sort=-quota')
  for (const text of ['94', '7 running', '$152.40', '84.6%', '$496.71', '$11.52', '1 session'])
    expect(await screen.findByText(text)).toBeTruthy()
  const { query } = sent.find(({ path }) => path === '/api/sessions/sums') ?? {}
  expect(query).toMatchObject({ username: 'alice' })
  for (const name of ['p', 'page_size', 'sort']) expect(query).not.toHaveProperty(name)
})

it('shows how far a session is from what stops it', async () => {
  signIn(1)
  const guard: CallSessionGuard = {
    limits: { money: 10, calls: 200, repeats: 5 },
    calls: 41,
    quota: 475_000,
    minutes: 12,
  }
  fakeFetch({
    'GET /api/sessions/self': () => page([session()]),
    'GET /api/sessions/self/guard': ({ query }) => (query.session === id ? guard : null),
    'GET /api/log/self': () => page([log(1, {})]),
  })
  await renderConsole(<SessionsScreen />, `/sessions?id=${id}`)
  const sheet = within(await screen.findByRole('dialog'))
  for (const text of ['Session limits', '$0.95 of $10.00', '41 of 200', 'stops at 5'])
    expect(await sheet.findByText(text)).toBeTruthy()
  expect(sheet.queryByText('Minutes')).toBeNull()
})

it('says for each miss what broke the cache, and where each call went', async () => {
  signIn(1)
  const hit = { id, state: 'hit' }
  const logs = [
    log(1, { client: 'curl', session: hit, cache_tokens: 72_734, tools_called: { Bash: 2, Read: 1 } }),
    log(2, {
      client: 'Claude Code',
      session: hit,
      cache_tokens: 0,
      cache_miss: { cause: 'tools_order', tokens: 48_952 },
    }),
    log(3, { client: 'Claude Code', session: { id, state: 'moved', why: 'refused' }, cache_tokens: 0 }),
    log(4, { session: hit, cache_miss: { cause: 'expired', tokens: 2000, minutes: 12 } }),
    log(5, { session: hit, status: 500 }, { type: logType.error }),
    log(6, { session: hit, status: 429 }, { type: logType.error, content: 'Too many requests' }),
  ]
  fakeFetch({
    'GET /api/sessions/self': () => page([session()]),
    'GET /api/log/self': ({ query }) => page(query.session === id ? logs : []),
  })
  await renderConsole(<SessionsScreen />, `/sessions?id=${id}`)
  const sheet = await screen.findByRole('dialog')
  expect(await within(sheet).findByText(/48,952 tokens missed/)).toBeTruthy()
  expect(within(sheet).getByText(/The order of the tool list changed/)).toBeTruthy()
  expect(within(sheet).getByText(/12 minutes passed without a call/)).toBeTruthy()
  const thread = within(within(sheet).getByRole('table', { name: 'Recent calls' }))
  expect(thread.getByText('97%')).toBeTruthy()
  expect(thread.getByText('Previous channel or key rejected the call')).toBeTruthy()
  expect(thread.getByText('Failed')).toBeTruthy()
  expect(thread.getByText('Too many requests')).toBeTruthy()
  expect(thread.getByText('Bash ×2, Read')).toBeTruthy()
  expect(within(sheet).getByText('Claude Code, curl')).toBeTruthy()
})

it('has the list and one session side by side where the window is wide', async () => {
  signIn(10)
  const narrow = window.matchMedia
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => ({
    ...narrow(query),
    matches: query.includes('min-width: 75em'),
  }))
  const other = 'fedcba9876543210'
  const shown = [
    session(),
    session({ id: other, client: '', models: ['gpt-5.1'], failures: 0, cache_lost: 0, first_time: 1, last_time: 43 }),
  ]
  fakeFetch({
    'GET /api/sessions/': () => page(shown),
    'GET /api/log/': ({ query }) =>
      page([log(1, { client: 'Codex' }, { model_name: query.session === other ? 'gpt-5.1' : 'claude' })]),
  })
  const { router } = await renderConsole(<SessionsScreen />, '/sessions')
  const region = await screen.findByRole('region', { name: 'Session 01234567' })
  expect(await within(region).findByText('Codex • laptop • alice • 01234567')).toBeTruthy()
  expect(screen.getByText('Claude Code · alice · laptop')).toBeTruthy()
  const idle = screen.getByText('alice · laptop', { exact: true }).closest<HTMLElement>('[data-row]') as HTMLElement
  expect(idle.textContent).toMatch(/· \d+ s/)
  expect(within(idle).getByText('Idle')).toBeTruthy()
  await userEvent.click(within(idle).getByText('alice · laptop'))
  await expect.poll(() => router.state.location.search).toMatchObject({ id: other })
  expect(await screen.findByRole('region', { name: 'Session fedcba98' })).toBeTruthy()
  expect(router.state.location.search).toMatchObject({ id: other })
  expect(screen.queryByRole('dialog')).toBeNull()
})
