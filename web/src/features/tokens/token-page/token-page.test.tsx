import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { forgetUser, storeUser } from '../../../lib/api/session.ts'
import { setLanguage } from '../../../lib/i18n.ts'
import { createQueryClient } from '../../../lib/query.ts'
import { statusStore } from '../../../lib/status.ts'
import { type FakeAnswer, fakeFetch, refused } from '../../../test/fake-fetch.ts'
import { renderConsole } from '../../../test/render-console.tsx'
import { testToken } from '../testing-token.ts'
import { TokenScreen } from './screen.tsx'

const hour = Math.floor(Date.now() / 3_600_000) * 3600
const token = testToken({
  id: 3,
  user_id: 1,
  name: 'nightly',
  created_time: 5,
  accessed_time: hour,
  remain_quota: 1_000_000,
  model_limits_enabled: true,
  model_limits: 'gpt-4o,o3-mini',
  allow_ips: '203.0.113.7',
  used_quota: 4_000_000,
  group: 'vip',
})

const figures = { value: 500_000, before: 0, share: 1, calls: 4, cache_share: 0.5, first_p95: 350 }
const report = (by: string | undefined) => ({
  from: hour - 3600,
  to: hour + 3600,
  rollup: 'hour',
  utc_days: false,
  buckets: [hour - 3600, hour],
  sums: [1, 3],
  rest_values: 0,
  more: false,
  refresh_minutes: 5,
  total: figures,
  series: [{ key: by === 'status' ? 'success' : 'gpt-4o', name: 'gpt-4o', rest: false, values: [1, 2] }],
  rows:
    by === 'status'
      ? [
          { ...figures, key: 'success', name: 'success', rest: false, calls: 3, rows: [] },
          { ...figures, key: 'timeout', name: 'timeout', rest: false, calls: 1, rows: [] },
        ]
      : [{ ...figures, key: 'gpt-4o', name: 'gpt-4o', rest: false, rows: [] }],
})
const called = {
  id: 1,
  user_id: 1,
  created_at: hour,
  type: 2,
  content: '',
  username: 'root',
  token_name: 'nightly',
  token_id: 3,
  model_name: 'gpt-4o',
  quota: 1234,
  prompt_tokens: 50,
  completion_tokens: 7,
  use_time: 1,
  is_stream: false,
  channel: 1,
  channel_name: '',
  group: 'vip',
  request_id: 'r1',
  ip: '',
  other: '{"duration_ms":1500}',
}
const page = (items: readonly unknown[]) => ({ items, total: items.length, page: 1, page_size: 10 })

const fakes: Readonly<Record<string, FakeAnswer>> = {
  'GET /api/token/3': () => token,
  'GET /api/user/self': () => ({ id: 1, username: 'root', group: 'default', quota: 0, role: 100 }),
  'GET /api/user/self/groups': () => ({ vip: { ratio: 0.8, desc: 'VIP' } }),
  'GET /api/models': () => ['gpt-4o'],
  'GET /api/user/models': () => ['gpt-4o'],
  'GET /api/explore/self': ({ query }) => report(query.by),
  'GET /api/explore': ({ query }) => report(query.by),
  'GET /api/log/self': () => page([called]),
  'GET /api/log/': () => page([called]),
  'GET /api/token/3/history': () => [
    {
      id: 9,
      created_at: hour,
      actor_id: 1,
      actor_name: 'root',
      action: 'token.update',
      object: 'token',
      object_id: '3',
      before: { name: 'daily' },
      after: { name: 'nightly' },
      ip: '',
    },
  ],
  'GET /api/user/7/overview': () => ({ user: { id: 7, username: 'alice' }, inviter: null, tokens: 1, sessions: 0 }),
  'GET /api/user/7/tokens': () => page([token]),
  'GET /api/audit': () => page([]),
}

const open = (path: string) => renderConsole(<TokenScreen />, path, createQueryClient(), '/token/$id')

describe('the page of a key', () => {
  beforeEach(() => {
    setLanguage('zh')
    statusStore.set({
      ...statusStore.get(),
      enable_data_export: true,
      display_in_currency: true,
      quota_per_unit: 500_000,
    })
    storeUser({ id: 1, username: 'root', display_name: '', role: 100, status: 1, group: 'default' })
  })
  afterEach(forgetUser)

  it('says what the key spent, what limits it, and where a call would stop', async () => {
    const sent = fakeFetch(fakes)
    await open('/token/3')
    expect(await screen.findByRole('heading', { name: 'nightly', level: 1 })).toBeTruthy()
    const limits = within(await screen.findByRole('region', { name: '令牌限制' }))
    expect(await limits.findByText('2 个模型')).toBeTruthy()
    expect(limits.getByText('203.0.113.7')).toBeTruthy()
    expect(await limits.findByText('倍率 0.8')).toBeTruthy()
    expect(limits.getByText('已用 $8.00，共 $10.00')).toBeTruthy()
    // The balance of its owner is used up.
    const balance = (await limits.findByText('余额已用完，调用会被拒绝')).closest('li')
    expect(balance?.hasAttribute('data-stops')).toBe(true)
    const recent = within(await screen.findByRole('region', { name: '最近的调用' }))
    expect(await recent.findByText('1.50 s')).toBeTruthy()
    const log = sent.find(({ path }) => path === '/api/log/self')
    expect(log?.query).toMatchObject({ token_name: 'nightly' })
  })

  it('shows administrators the key of another user, without what only its owner may do', async () => {
    const sent = fakeFetch(fakes)
    await open('/token/3?user=7')
    expect(await screen.findByRole('link', { name: 'alice' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: '编辑' })).toBeNull()
    expect(screen.queryByRole('link', { name: '使用方法' })).toBeNull()
    await waitFor(() =>
      expect(sent.find(({ path }) => path === '/api/log/')?.query).toMatchObject({
        username: 'alice',
        token_name: 'nightly',
      }),
    )
  })

  it('switches the key off, and asks before it is deleted', async () => {
    const sent = fakeFetch({
      ...fakes,
      'PUT /api/token/': () => ({ ...token, status: 2 }),
      'DELETE /api/token/3': () => refused('不行'),
    })
    await open('/token/3')
    await userEvent.click(await screen.findByRole('button', { name: '禁用' }))
    await waitFor(() => expect(sent.find(({ method }) => method === 'PUT')?.body).toEqual({ id: 3, status: 2 }))
    await userEvent.click(screen.getByRole('button', { name: 'nightly 的操作' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: '删除' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: '删除' }))
    expect(await dialog.findByText(/不行/)).toBeTruthy()
  })

  it('says that there is no such key', async () => {
    fakeFetch({ ...fakes, 'GET /api/token/3': () => refused('记录不存在') })
    await open('/token/3')
    expect(await screen.findByText(/记录不存在/)).toBeTruthy()
  })
})
