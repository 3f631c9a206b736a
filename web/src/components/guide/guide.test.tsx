import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetUser, storeUser } from '../../lib/api/session.ts'
import { setLanguage } from '../../lib/i18n.ts'
import { preferencesStore } from '../../lib/preferences/preferences.ts'
import { fakeFetch } from '../../test/fake-fetch.ts'
import { renderAmongPages, renderConsole } from '../../test/render-console.tsx'
import { GuidePlace } from './guide-place.tsx'

let nextId = 500
const signIn = (role = 1): void => {
  nextId += 1
  storeUser({ id: nextId, username: `u${nextId}`, display_name: '', role, status: 1, group: '' })
}

beforeEach(() => {
  forgetUser()
  setLanguage('zh')
})
afterEach(() => void vi.useRealTimers())

const page = (items: readonly unknown[]) => ({ items, total: items.length, page: 1, page_size: 1 })
const key = (more: object = {}) => ({
  id: 1,
  key: 'abc***xyz',
  name: 'laptop',
  created_time: 1000,
  accessed_time: 1000,
  model_limits_enabled: false,
  model_limits: '',
  ...more,
})

const anthropic = {
  type: 14,
  name: 'Anthropic',
  label: { zh: 'Anthropic', en: 'Anthropic' },
  color: 'indigo',
  base_url: 'https://api.anthropic.com',
  key_hint: { zh: '', en: '' },
  fields: [],
  models: ['claude-old'],
  lists_models: true,
  bills_aborted: false,
  has_balance: false,
  relays: true,
}
const like = {
  model: 'claude-sonnet',
  provider: 'anthropic',
  version: '1',
  price: { rates: { input: '3', output: '15' } },
  ratio: 1.5,
  completion_ratio: 5,
}
const channel = {
  id: 7,
  name: 'Main',
  models: 'gpt-4o,gpt-new',
  test_model: null,
  response_time: 0,
  test_status: 0,
  used_quota: 0,
}

interface Site {
  keys: unknown[]
  self: object
  failed: unknown[]
  channels: unknown[]
  unpriced: unknown[]
  logs: unknown[]
  online: boolean
}

const site = (overrides: Partial<Site> = {}) => {
  const state: Site = {
    keys: [],
    self: {},
    failed: [],
    channels: [],
    unpriced: [],
    logs: [],
    online: false,
    ...overrides,
  }
  const sent = fakeFetch({
    'GET /api/token/browse': () => page(state.keys),
    'POST /api/token/': () => {
      state.keys = [key()]
      return { ...key(), key: 'abcdefxyz' }
    },
    'GET /api/user/self': () => ({ quota: 0, used_quota: 0, request_count: 0, ...state.self }),
    'GET /api/log/self': ({ query }) => page(query.type === '5' ? state.failed : state.logs),
    'GET /api/user/models': () => ['gpt-new', 'gpt-4o'],
    'GET /api/channel/browse': () => page(state.channels),
    'GET /api/channel/types': () => [anthropic],
    'POST /api/channel/fetch_models': () => ['claude-sonnet-5', 'claude-haiku-5'],
    'POST /api/channel/': () => {
      state.channels = [channel]
      return { ids: [7] }
    },
    'GET /api/price_lists/unpriced': () => state.unpriced,
    'GET /api/option/': () => [{ key: 'ModelRatio', value: '{"old":1}' }],
    'PUT /api/option/batch': () => {
      state.unpriced = []
      return { refused: [] }
    },
    'GET /api/user/topup/info': () => ({ online: state.online, least: 1, presets: [], methods: [] }),
    'POST /api/token/1/key': () => ({ key: 'abcdefxyz' }),
  })
  return { state, sent }
}
const guide = () => screen.findByRole('region', { name: '开始使用' })
const steps = async () => {
  const [list] = within(await guide()).getAllByRole('list')
  return list ? within(list).getAllByRole('listitem') : []
}
const titles = async () => (await steps()).map(({ textContent }) => textContent?.slice(1, 5))
const done = async () =>
  (await steps()).filter(({ textContent }) => textContent?.includes('（已完成）')).map(({ textContent }) => textContent)

it('counts for the site: once anybody calls, operators read one line about models without price', async () => {
  setLanguage('en')
  signIn(100)
  const busy = { ...channel, used_quota: 1000 }
  const { state } = site({ channels: [busy], unpriced: [{ model: 'gpt-new', suggestions: [like] }] })
  const first = await renderConsole(<GuidePlace />, '/token')
  const line = await screen.findByRole('region', { name: /no price/ })
  expect(within(line).getByRole('link', { name: 'Set prices' }).getAttribute('href')).toBe('/setting/prices')
  expect(screen.queryByText('Get started')).toBeNull()
  first.unmount()
  state.unpriced = []
  await renderConsole(<GuidePlace />, '/token')
  await vi.waitFor(() => expect(preferencesStore.get().all.marks).toMatchObject({ 'guide-over': true }))
  expect(screen.queryByRole('region')).toBeNull()
})

it('takes a failed test of a channel for no answer', async () => {
  signIn(100)
  site({ channels: [{ ...channel, response_time: 350, test_status: 503 }] })
  await renderConsole(<GuidePlace />, '/token')
  expect((await done()).some((text) => text?.includes('核对'))).toBe(false)
})

describe('the first steps', () => {
  it('begin with a balance for a new user, and name whom to ask where nothing is sold', async () => {
    signIn()
    site()
    await renderConsole(<GuidePlace />, '/token')
    expect(await titles()).toEqual(['获得余额', '创建 A', '发出第一'])
    expect(await done()).toEqual([])
    expect(await screen.findByText(/本站未开启在线充值/)).toBeTruthy()
    expect(screen.queryByRole('link', { name: '在线充值' })).toBeNull()
  })

  it('lead to the payment where it is on', async () => {
    signIn()
    site({ online: true })
    await renderConsole(<GuidePlace />, '/token')
    expect(await screen.findByRole('link', { name: '在线充值' })).toBeTruthy()
    expect(screen.queryByText(/本站未开启在线充值/)).toBeNull()
  })

  it('find the provider of a pasted key, and add what it offers and nothing else', async () => {
    signIn(100)
    const { sent } = site({ self: { quota: 5 } })
    await renderConsole(<GuidePlace />, '/token')
    expect(await titles()).toEqual(['添加渠道', '核对模型', '创建 A', '发出第一'])
    await userEvent.click(await screen.findByLabelText('名称、模型或粘贴密钥'))
    await userEvent.paste('sk-ant-api03-0123456789')
    expect(await screen.findByText('已按密钥识别为 Anthropic')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: '连接并读取模型' }))
    expect(await screen.findByText('Main：2 个模型')).toBeTruthy()
    const created = sent.find(({ method, path }) => method === 'POST' && path === '/api/channel/')
    expect(created?.body).toMatchObject({
      type: 14,
      name: 'Anthropic',
      key: 'sk-ant-api03-0123456789',
      models: 'claude-sonnet-5,claude-haiku-5',
    })
  })

  it('show root what other pages have for a site without a channel', async () => {
    const load = async () => () => <a href="/other">开始导入</a>
    const title = { zh: '导入', en: 'Import' }
    const other = { path: '/other', staticData: { title, leadsFrom: { firstSteps: load } } } as const
    signIn(100)
    site({ self: { quota: 5 } })
    const { unmount } = await renderAmongPages(<GuidePlace />, '/token', [other])
    expect(await screen.findByRole('link', { name: '开始导入' })).toBeTruthy()
    unmount()
    site({ self: { quota: 5 }, channels: [channel] })
    await renderAmongPages(<GuidePlace />, '/token', [other])
    await guide()
    expect(screen.queryByRole('link', { name: '开始导入' })).toBeNull()
    // Their calls are for root only.
    signIn(10)
    site({ self: { quota: 5 } })
    await renderAmongPages(<GuidePlace />, '/token', [other])
    expect(screen.queryByRole('link', { name: '开始导入' })).toBeNull()
  })

  it('propose a price for each model without one, and set all with one click', async () => {
    signIn(100)
    const { sent } = site({
      self: { quota: 5 },
      channels: [channel],
      unpriced: [{ model: 'gpt-new', suggestions: [like] }],
    })
    await renderConsole(<GuidePlace />, '/token')
    expect(await screen.findByText('1 个模型没有价格')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: '全部采用（1）' }))
    expect(await screen.findByText('所有模型都有价格')).toBeTruthy()
    expect(sent.find(({ path }) => path === '/api/option/batch')?.body).toEqual({
      changes: [
        { key: 'ModelRatio', value: '{"old":1,"gpt-new":1.5}', was: '{"old":1}' },
        { key: 'CompletionRatio', value: '{"gpt-new":5}', was: '{}' },
      ],
    })
  })

  it('make a key with one click and show a call with it, of a model that has a price', async () => {
    signIn(100)
    site({
      self: { quota: 5 },
      channels: [{ ...channel, response_time: 9 }],
      unpriced: [{ model: 'gpt-new', suggestions: [] }],
    })
    await renderConsole(<GuidePlace />, '/token')
    await screen.findByText(/不设单独限额/)
    await userEvent.click(screen.getByRole('button', { name: '创建 API 令牌' }))
    const code = (await screen.findByText(/curl/)).closest('pre')
    await vi.waitFor(() => expect(code?.textContent).toContain('Bearer sk-abcdefxyz'))
    expect(code?.textContent).toContain('gpt-4o')
    expect(code?.textContent).not.toContain('gpt-new')
  })

  it('fill an older key in when that is asked for', async () => {
    signIn()
    site({ keys: [key()], self: { quota: 5 } })
    await renderConsole(<GuidePlace />, '/token')
    const code = (await screen.findByText(/curl/)).closest('pre')
    expect(code?.textContent).toContain('Bearer sk-abc***xyz')
    await userEvent.click(screen.getByRole('button', { name: '填入密钥' }))
    await vi.waitFor(() => expect(code?.textContent).toContain('Bearer sk-abcdefxyz'))
  })

  it('notice the first call by themselves, say why one failed, and show the receipt', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    signIn()
    const { state, sent } = site({ keys: [key()], failed: [{ id: 1, content: '余额不足' }], self: { quota: 5 } })
    await renderConsole(<GuidePlace />, '/token')
    expect(await screen.findByText('最近一次调用失败：余额不足')).toBeTruthy()
    state.self = { quota: 5, request_count: 1 }
    state.keys = [key({ accessed_time: 2000 })]
    state.logs = [
      { id: 3, token_id: 0, request_id: 'test', model_name: 'tested', other: '{}' },
      {
        id: 2,
        token_id: 1,
        request_id: 'r-1',
        model_name: 'gpt-4o',
        prompt_tokens: 20,
        completion_tokens: 50,
        quota: 12,
        use_time: 1,
        other: '{"duration_ms":920}',
      },
    ]
    await vi.advanceTimersByTimeAsync(5_500)
    expect(await screen.findByText('全部完成，可以开始使用了')).toBeTruthy()
    const receipt = await screen.findByRole('region', { name: '第一次调用的收据' })
    expect(receipt.textContent).toContain('20 / 50')
    expect(receipt.textContent).toContain('0.92 s')
    expect(within(receipt).getByRole('link').getAttribute('href')).toBe('/log?request=r-1')
    const selfRequests = () => sent.filter(({ path }) => path === '/api/user/self').length
    const before = selfRequests()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(selfRequests()).toBe(before)
  })

  it('are put away for good, and come back when they are called', async () => {
    signIn()
    site()
    const { unmount } = await renderConsole(<GuidePlace />, '/token')
    await userEvent.click(await screen.findByRole('button', { name: '跳过' }))
    expect(screen.queryByRole('region')).toBeNull()
    expect(preferencesStore.get().unsent.marks).toEqual({ 'guide-over': true })
    unmount()
    await renderConsole(<GuidePlace />, '/token?guide=1')
    expect(await steps()).toHaveLength(3)
  })

  it('are not shown to a user who has done them all, and not requested again', async () => {
    signIn()
    const { sent } = site({ keys: [key({ accessed_time: 2000 })], self: { request_count: 9, used_quota: 4 } })
    const { unmount } = await renderConsole(<GuidePlace />, '/token')
    await vi.waitFor(() => expect(preferencesStore.get().all.marks).toEqual({ 'guide-over': true }))
    expect(screen.queryByRole('region')).toBeNull()
    unmount()
    sent.length = 0
    await renderConsole(<GuidePlace />, '/token')
    expect(sent).toEqual([])
  })
})
